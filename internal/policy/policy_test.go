package policy

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

func compile(t *testing.T, entries ...string) *Rules {
	t.Helper()
	rules, err := Compile(protocol.Rules{Blocklist: entries}, "47600")
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestBlocklistTable(t *testing.T) {
	raw, err := os.ReadFile("testdata/domains.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Rows [][3]any `json:"rows"`
	}
	if err := json.Unmarshal(raw, &table); err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) < 40 {
		t.Fatalf("only %d rows were read", len(table.Rows))
	}
	for _, row := range table.Rows {
		entry, _ := row[0].(string)
		address, _ := row[1].(string)
		want, _ := row[2].(bool)
		rules := compile(t, entry)
		if got := Decide(protocol.Click{}, address, rules); (got.Verdict == Deny) != want {
			t.Errorf("entry %q, tab at %q: blocked %v, expected %v", entry, address, got.Verdict == Deny, want)
		}
		got := Decide(protocol.OpenTab{URL: address}, "", rules)
		if (got.Verdict == Deny) != want {
			t.Errorf("entry %q, open_tab %q: %+v, expected blocked %v", entry, address, got.Err, want)
		}
		if want && got.Err.Code != protocol.CodeDomainBlocked {
			t.Errorf("open_tab %q: code %s, expected domain_blocked", address, got.Err.Code)
		}
	}
}

func TestEntriesThatMeanNothingAreRefused(t *testing.T) {
	for _, entry := range []string{"", " ", "*.", "a b.com", "http://", "[::1", "1.2.3.4.5", "256.1.1.1", "https:///?x", "exa%zz.com"} {
		_, err := Compile(protocol.Rules{Blocklist: []string{"good.test", entry}}, "")
		if err == nil || !strings.Contains(err.Error(), "blocklist entry") {
			t.Errorf("entry %q gave %v, expected a refusal", entry, err)
		}
	}
}

func TestEntriesAreWhatTheBrowserCompares(t *testing.T) {
	got := compile(t, "https://www.Bank.test/x", "bank.test", "0x7f.1", "BÜCHER.example").Entries()
	want := []string{"127.0.0.1", "bank.test", "xn--bcher-kva.example"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, expected %v", got, want)
	}
	if got := (*Rules)(nil).Entries(); got == nil || len(got) != 0 {
		t.Errorf("no rules gave %#v, expected an empty list", got)
	}
}

func TestAskedAddresses(t *testing.T) {
	const allowed = protocol.ErrorCode("")
	rules := compile(t, "bank.test")
	for address, want := range map[string]protocol.ErrorCode{
		"https://example.com/":   allowed,
		"http://localhost:8080/": allowed,
		"about:blank":            allowed,
		"about:blank#x":          allowed,
		"ABOUT:BLANK":            allowed,
		"data:text/html,hi":      allowed,
		"file:///etc/passwd":     allowed, // the extension's: only it knows the switch
		"about:config":           protocol.CodeInvalidAction,
		"about:":                 protocol.CodeInvalidAction,
		"chrome://settings":      protocol.CodeInvalidAction,
		"CHROME:settings":        protocol.CodeInvalidAction,
		"chrome-extension://hlnomgpkpndcp/popup.html": protocol.CodeInvalidAction,
		"view-source:https://example.com":             protocol.CodeInvalidAction,
		"javascript:alert(1)":                         protocol.CodeInvalidAction,
		" java\nscript:alert(1)":                      protocol.CodeInvalidAction,
		"devtools://devtools/x":                       protocol.CodeInvalidAction,
		"ftp://example.com/":                          protocol.CodeInvalidAction,
		"example.com":                                 protocol.CodeInvalidAction,
		"/path":                                       protocol.CodeInvalidAction,
		"":                                            protocol.CodeInvalidAction,
		"https://":                                    protocol.CodeInvalidAction,
		"https://a b/":                                protocol.CodeInvalidAction,
		"http://1.2.3.400/":                           protocol.CodeInvalidAction,
		"https://bank.test/":                          protocol.CodeDomainBlocked,
		"https://www.bank.test":                       protocol.CodeDomainBlocked,
	} {
		for _, action := range []protocol.Action{protocol.OpenTab{URL: address}, protocol.Navigate{URL: address}} {
			if _, isNavigate := action.(protocol.Navigate); isNavigate && address == "" {
				continue // no address: navigate goes back or forward
			}
			got := Decide(action, "https://example.com/", rules)
			code := allowed
			if got.Verdict == Deny {
				code = got.Err.Code
			}
			if code != want {
				t.Errorf("%T %q: %q, expected %q", action, address, code, want)
			}
		}
	}
}

func TestTheTabsOwnAddressCountsForEveryAction(t *testing.T) {
	rules := compile(t, "bank.test")
	for _, action := range []protocol.Action{
		protocol.Click{}, protocol.Extract{}, protocol.Navigate{To: "back"}, protocol.Navigate{URL: "https://example.com/"},
	} {
		got := Decide(action, "https://login.bank.test/x", rules)
		if got.Verdict != Deny || got.Domain != "bank.test" || got.Err.Outcome != protocol.NotSent {
			t.Errorf("%T on a blocked tab: %+v", action, got)
		}
	}
	if got := Decide(protocol.Click{}, "", rules); got.Verdict != Allow {
		t.Errorf("an unknown address was refused: %+v", got)
	}
	if got := Decide(protocol.Click{}, "https://bank.test/", nil); got.Verdict != Allow {
		t.Errorf("no rules refused: %+v", got)
	}
	if got := Decide(protocol.OpenTab{URL: "x:" + strings.Repeat("a", 1<<20)}, "", rules); len(got.Err.Message) > 1000 {
		t.Errorf("the message has %d bytes", len(got.Err.Message))
	}
}

func TestOurOwnPagesAreOutOfBounds(t *testing.T) {
	rules := compile(t)
	for address, want := range map[string]bool{
		"http://127.0.0.1:47600/pair":                 true,
		"http://localhost:47600/":                     true,
		"http://LOCALHOST.:047600/":                   true,
		"http://x.localhost:47600":                    true,
		"http://0x7f000001:47600/":                    true,
		"http://[::1]:47600/":                         true,
		"http://[::ffff:127.0.0.1]:47600/":            true,
		"http://0.0.0.0:47600/":                       true,
		"blob:http://127.0.0.1:47600/0d4e":            true,
		"http://127.0.0.1:47601/":                     false,
		"http://127.0.0.1/":                           false,
		"http://example.com:47600/":                   false,
		"https://example.com/?http://127.0.0.1:47600": false,
	} {
		if got := Decide(protocol.OpenTab{URL: address}, "", rules); (got.Verdict == Deny) != want {
			t.Errorf("%s: denied %v, expected %v", address, got.Verdict == Deny, want)
		}
	}
}

func TestDomainOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://www.example.co.uk/x": "example.co.uk",
		"http://127.0.0.1:1/":         "127.0.0.1",
		"http://localhost/":           "localhost",
		"about:blank":                 "about:blank",
		"data:text/plain,x":           "data:",
		"chrome://settings/":          "settings",
		"nonsense":                    "",
	} {
		if got := DomainOf(address); got != want {
			t.Errorf("%s: %q, expected %q", address, got, want)
		}
	}
}

func FuzzAddressNeverPanics(f *testing.F) {
	f.Add("https://example.com/")
	f.Add("http://[::ffff:1.2.3.4]:80/")
	f.Add("http://0x7f.1")
	f.Fuzz(func(t *testing.T, address string) {
		host, err := hostOf(address)
		if err != nil || host == "" {
			return
		}
		again, err := hostOf("http://" + host)
		if isIP(host) && strings.Contains(host, ":") {
			again, err = hostOf("http://[" + host + "]")
		}
		if err != nil || again != host {
			t.Errorf("the canonical host of %q is %q, which reads as %q (%v)", address, host, again, err)
		}
	})
}
