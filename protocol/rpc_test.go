package protocol

import "testing"

func TestRPCMethodsHaveTheFriendlyKeysOfTheSeed(t *testing.T) {
	for name, key := range map[string]string{
		"sessions.create": "session_create", "sessions.attachCurrent": "session_attach_current", "sessions.list": "session_list",
		"sessions.rename": "session_rename", "sessions.release": "session_release", "sessions.close": "session_close",
		"tabs.open": "tab_open", "tabs.list": "tab_list", "tabs.userList": "tab_user_list", "tabs.attach": "tab_attach",
		"tabs.active": "tab_active", "tabs.activate": "tab_activate", "tabs.close": "tab_close",
		"pages.snapshot": "page_snapshot", "pages.click": "page_click", "pages.hover": "page_hover", "pages.fill": "page_fill",
		"pages.type": "page_type", "pages.select": "page_select", "pages.scrollIntoView": "page_scroll_into_view",
		"pages.press": "page_press", "pages.scroll": "page_scroll", "pages.mouse": "page_mouse", "pages.get": "page_get",
		"pages.screenshot": "page_screenshot", "pages.wait": "page_wait", "pages.eval": "page_eval",
	} {
		m, ok := RPCMethodOf(name)
		if !ok || m.Key() != key || m.Extended {
			t.Errorf("%s: in the table %t, key %q, expected %q", name, ok, m.Key(), key)
		}
	}
	keys := map[string]bool{}
	for _, m := range RPCMethods {
		if keys[m.Key()] {
			t.Errorf("two methods have the key %s", m.Key())
		}
		keys[m.Key()] = true
	}
}

func TestRPCCodesHaveTwinsInTheTable(t *testing.T) {
	seen := map[RPCCode]bool{}
	for _, c := range RPCCodes {
		if _, ok := c.Twin.Info(); !ok || seen[c.Code] {
			t.Errorf("%s (%d): its twin %q is no error code, or its number stands twice", c.Name, c.Code, c.Twin)
		}
		seen[c.Code] = true
	}
}
