package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// names are the elements' roles and names, or what they say where they have none.
func names(elements []protocol.Element) (out []string) {
	for _, e := range elements {
		name := e.Name
		if name == "" {
			name = e.Value
		}
		out = append(out, e.Role+" "+name)
	}
	return out
}

func TestFindTellsMatchesOnly(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	a := r.newAgent(t)
	inner := r.site.html(t, "inner", `<button onclick="fetch('/found-in-frame')">Pay invoice</button><p>Total due</p>`)
	page := a.open(r.site.html(t, "find", `
		<h1>Invoices of May</h1>
		<button>New <b>inv</b>oice</button> <button disabled>Delete</button> <a href="#x">Invoice 7</a>
		<button style="display:none">Hidden invoice</button>
		<div style="position:absolute;left:-9999px">total due, off screen</div>
		<button><span>Save</span> <i>all</i></button>
		<label>Customer <input value="Ada Lovelace"></label> <input type="password" value="lovelace">
		<ul><li>Paid: INV-9</li><li>Open: INV-10</li></ul>
		<iframe src="`+strings.Replace(inner, "page.test", "other.test", 1)+`" width=400 height=200></iframe>
		<iframe src="`+inner+`" style="visibility:hidden"></iframe>`))
	for _, c := range []struct {
		what  protocol.Find
		want  []string
		total int
	}{
		{protocol.Find{Role: "button"}, []string{"button New invoice", "button Delete", "button Save all", "button Pay invoice"}, 4},
		{protocol.Find{Name: "INVOICE"}, []string{"heading Invoices of May", "button New invoice", "link Invoice 7", "button Pay invoice"}, 4},
		{protocol.Find{Name: "invoice", Limit: 2}, []string{"heading Invoices of May", "button New invoice"}, 4},
		{protocol.Find{Name: "invoice", Role: "Link"}, []string{"link Invoice 7"}, 1},
		{protocol.Find{Text: "save"}, []string{"button Save all"}, 1},
		{protocol.Find{Text: "inv-10"}, []string{"listitem Open: INV-10"}, 1},
		{protocol.Find{Text: "inv-", Role: "listitem"}, []string{"listitem Paid: INV-9", "listitem Open: INV-10"}, 2},
		{protocol.Find{Text: "lovelace"}, []string{"textbox Customer"}, 1},
		{protocol.Find{Text: "total due"}, []string{"paragraph Total due"}, 1},
		{protocol.Find{Role: "slider"}, nil, 0},
	} {
		c.what.Page = page
		got := do[protocol.FindResult](a, c.what)
		if !slices.Equal(names(got.Elements), c.want) || got.Total != c.total {
			t.Errorf("find %+v gives %d: %q, expected %d: %q", c.what, got.Total, names(got.Elements), c.total, c.want)
		}
	}
	// A ref that find gave is as good as a snapshot's, in a frame of another process too, and the same.
	pay := do[protocol.FindResult](a, protocol.Find{Page: page, Name: "pay"}).Elements[0]
	do[protocol.ClickResult](a, protocol.Click{Page: page, Target: protocol.Target{UID: pay.UID}})
	if err := r.site.await(within(t), "other.test/found-in-frame"); err != nil {
		t.Error(err)
	}
	created := do[protocol.FindResult](a, protocol.Find{Page: page, Name: "new invoice"}).Elements[0]
	if seen := a.target(page, "button", "New invoice"); seen.UID != created.UID {
		t.Errorf("find calls the button %s, extract %s", created.UID, seen.UID)
	}
	if disabled := do[protocol.FindResult](a, protocol.Find{Page: page, Name: "delete"}).Elements[0]; !slices.Contains(disabled.States, "disabled") {
		t.Errorf("the disabled button has the states %q", disabled.States)
	}
	a.fails(protocol.CodeInvalidAction, protocol.Find{Page: page})
}
