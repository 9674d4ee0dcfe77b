package e2e

import (
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// model is a real MCP client that calls the one tool.
type model struct {
	t       *testing.T
	session *mcp.ClientSession
}

// newModel is a model with a client process of its own on a rig's server; it ends with the test.
func newModel(t *testing.T, r *rig) model {
	t.Helper()
	cmd := exec.Command(drawbridge(t), "mcp", "--data-dir", r.server.dataDir)
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil)
	session, err := client.Connect(within(t), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	return model{t: t, session: session}
}

func (m model) call(arguments map[string]any) *mcp.CallToolResult {
	m.t.Helper()
	result, err := m.session.CallTool(within(m.t), &mcp.CallToolParams{Name: "browser", Arguments: arguments})
	if err != nil {
		m.t.Fatalf("%v: %v", arguments, err)
	}
	return result
}

func (m model) text(arguments map[string]any) string {
	m.t.Helper()
	result := m.call(arguments)
	said := words(result)
	if result.IsError {
		m.t.Fatalf("%v: %s", arguments, said)
	}
	return said
}

func words(result *mcp.CallToolResult) string {
	var all strings.Builder
	for _, content := range result.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			all.WriteString(text.Text + "\n")
		}
	}
	return all.String()
}

// ref finds the ref of an element in what the model read.
func (m model) ref(text, element string) string {
	m.t.Helper()
	name := regexp.QuoteMeta(element)
	// An extract's list says e5 button "Save", a snapshot's tree button "Save" [ref=e5].
	if found := regexp.MustCompile(`(e\d+) ` + name + `|` + name + ` \[ref=(e\d+)\]`).FindStringSubmatch(text); found != nil {
		return found[1] + found[2]
	}
	m.t.Fatalf("no %s in:\n%s", element, text)
	return ""
}

func TestOrderOverMCP(t *testing.T) {
	t.Parallel()
	t.Run("stdio", func(t *testing.T) {
		r := newRig(t, rigOptions{})
		order(t, r, &mcp.CommandTransport{Command: exec.Command(drawbridge(t), "mcp", "--data-dir", r.server.dataDir)})
		givenBack(t, r)
	})
	t.Run("http", func(t *testing.T) {
		r := newRig(t, rigOptions{})
		token, err := store.ReadCredential(r.server.dataDir)
		if err != nil {
			t.Fatal(err)
		}
		order(t, r, &mcp.StreamableClientTransport{
			Endpoint: "http://" + r.server.addr + "/mcp", HTTPClient: &http.Client{Transport: tokened{token}}, MaxRetries: -1,
		})
		givenBack(t, r)
	})
}

// givenBack expects the tab of the model that has ended open, nobody's, and free for another agent.
func givenBack(t *testing.T, r *rig) {
	t.Helper()
	a := r.newAgent(t)
	var shop []protocol.TabInfo
	err := eventually(within(t), "the shop's tab to be the user's", func() (bool, error) {
		shop = do[protocol.ListTabsResult](a, protocol.ListTabs{Scope: "all", Query: "shop.test"}).Tabs
		return len(shop) == 1 && shop[0].Owner == "user", nil
	})
	if err != nil {
		t.Fatalf("%v: %+v", err, shop)
	}
	if page := a.extract(protocol.Page{TabID: shop[0].TabID}); !strings.Contains(page.Markdown, "HL-1001") {
		t.Errorf("the next agent reads:\n%s", page.Markdown)
	}
}

// tokened sends the token that a client of MCP over HTTP is configured with.
type tokened struct{ token string }

func (t tokened) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+t.token)
	return http.DefaultTransport.RoundTrip(r)
}

// order has a model order in the shop over a transport.
func order(t *testing.T, r *rig, transport mcp.Transport) {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil)
	session, err := client.Connect(within(t), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}()
	m := model{t: t, session: session}
	tools, err := session.ListTools(within(t), nil)
	if err != nil || len(tools.Tools) != 1 || tools.Tools[0].Name != "browser" {
		t.Fatalf("the tools are %+v (%v), expected the one, browser", tools, err)
	}

	m.text(map[string]any{"action": "open_tab", "url": "http://shop.test/login?next=/order/night-light"})
	page := m.text(map[string]any{"action": "snapshot", "interactive": true})
	m.text(map[string]any{"action": "type", "ref": m.ref(page, `textbox "Email"`), "text": "ada@harbour.test"})
	m.text(map[string]any{"action": "type", "ref": m.ref(page, `textbox "Password"`), "text": "lighthouse", "submit": true})
	m.text(map[string]any{"action": "wait_for", "text": "Your order"})
	page = m.text(map[string]any{"action": "extract"})
	for field, value := range map[string]string{"Recipient": "Grace", "Street": "Pier 9", "City": "Cork"} {
		m.text(map[string]any{"action": "type", "ref": m.ref(page, `textbox "`+field+`"`), "text": value})
	}
	m.text(map[string]any{"action": "press", "ref": m.ref(page, `combobox "Country"`), "key": "I"})
	m.text(map[string]any{"action": "click", "ref": m.ref(page, `checkbox "I accept the terms"`)})
	m.text(map[string]any{"action": "click", "selector": "main form .button"})
	m.text(map[string]any{"action": "wait_for", "text": "is confirmed"})
	if said := m.text(map[string]any{"action": "extract"}); !strings.Contains(said, "HL-1001") {
		t.Errorf("the confirmation reads:\n%s", said)
	}
	picture := m.call(map[string]any{"action": "screenshot"})
	var image *mcp.ImageContent
	for _, content := range picture.Content {
		if found, ok := content.(*mcp.ImageContent); ok {
			image = found
		}
	}
	if image == nil || len(image.Data) < 1000 {
		t.Errorf("the screenshot gave %+v", picture.Content)
	}
	orders := r.site.shop.Orders()
	if len(orders) != 1 || orders[0].Recipient != "Grace" || orders[0].City != "Cork" || orders[0].Country != "ie" {
		t.Errorf("the shop's log has %+v", orders)
	}
	refused := m.call(map[string]any{"action": "click", "ref": "e9999"})
	if !refused.IsError || !strings.Contains(words(refused), "element_not_found") {
		t.Errorf("a ref that never was gives %q", words(refused))
	}
	both := m.call(map[string]any{"action": "click", "ref": "e1", "selector": "a"})
	if !both.IsError {
		t.Errorf("a click with ref and selector gives %q", words(both))
	}
}
