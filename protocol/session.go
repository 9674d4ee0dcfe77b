package protocol

// TabInfo describes a tab.
type TabInfo struct {
	TabID int64  `json:"tabId"`
	URL   string `json:"url"`
	Title string `json:"title"`
	// It is the one that its window shows.
	Active bool `json:"active,omitempty"`
	// Whose it is: agent (the caller's), other_agent or user.
	Owner string `json:"owner" jsonschema:"enum=agent,enum=other_agent,enum=user"`
	// The session that it belongs to.
	SessionID string `json:"sessionId,omitempty"`
}

// SessionInfo describes a session: a group of tabs with one owner.
type SessionInfo struct {
	SessionID string `json:"sessionId"`
	Title     string `json:"title,omitempty"`
	Color     string `json:"color,omitempty"`
	// Its current tab: the one last opened, attached or activated in it, whatever tab Chrome shows.
	ActiveTabID int64     `json:"activeTabId,omitempty"`
	Tabs        []TabInfo `json:"tabs"`
}

// TabRecord is the extension's bookkeeping of one tab at work.
type TabRecord struct {
	TabID int64 `json:"tabId" jsonschema:"minimum=1,maximum=9007199254740991"`
	// Registrable domain of the tab's address.
	Domain string `json:"domain"`
	// Epoch milliseconds.
	StartedAt int64 `json:"startedAt"`
	// Epoch milliseconds.
	LastActionAt int64 `json:"lastActionAt"`
	ActionCount  int64 `json:"actionCount"`
	// The agent that works there.
	AgentID string `json:"agentId,omitempty"`
	// The tab lives in the agent window; otherwise it is the user's, borrowed.
	AgentTab bool   `json:"agentTab,omitempty"`
	URL      string `json:"url,omitempty"`
	Title    string `json:"title,omitempty"`
}

// EndReason says why a session on a tab ended.
type EndReason string

// The end reasons.
const (
	EndTabClosed     EndReason = "tab_closed"
	EndSystemIdle    EndReason = "system_idle"
	EndScreenLocked  EndReason = "screen_locked"
	EndDetached      EndReason = "detached"
	EndUserStopped   EndReason = "user_stopped"
	EndDomainBlocked EndReason = "domain_blocked"
	EndGlobalStop    EndReason = "global_stop"
)

// EndReasons lists the end reasons.
var EndReasons = []EndReason{
	EndTabClosed, EndSystemIdle, EndScreenLocked, EndDetached, EndUserStopped, EndDomainBlocked, EndGlobalStop,
}
