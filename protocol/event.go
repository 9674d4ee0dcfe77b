package protocol

// Event is what a browser tells unasked: the structs of this file. One way, no answer.
type Event interface{ isEvent() }

// SessionStarted says that an agent first acted on a tab.
type SessionStarted struct {
	TabID  int64  `json:"tabId"`
	Domain string `json:"domain"`
	// Epoch milliseconds.
	StartedAt int64 `json:"startedAt"`
}

// SessionEnded says that there are no more actions on a tab until the next first one.
type SessionEnded struct {
	TabID       int64     `json:"tabId"`
	Domain      string    `json:"domain"`
	Reason      EndReason `json:"reason"`
	ActionCount int64     `json:"actionCount"`
	// Epoch milliseconds.
	EndedAt int64 `json:"endedAt"`
}

// DomainBlocked says that an action or a navigation met the blocklist.
type DomainBlocked struct {
	TabID  int64  `json:"tabId,omitempty"`
	Domain string `json:"domain"`
	// The action's type, or navigation for one that nobody asked for.
	Action string `json:"action"`
}

// GlobalStop says that the user pressed Stop all.
type GlobalStop struct {
	// How many sessions it ended.
	Sessions int64 `json:"sessions"`
}

// ObstacleMet says that extract saw an obstacle.
type ObstacleMet struct {
	TabID    int64    `json:"tabId"`
	Obstacle Obstacle `json:"obstacle"`
}

// HandoffDone says that the user ended a handoff.
type HandoffDone struct {
	TabID int64 `json:"tabId"`
}

// DialogOpened says that a dialog opened outside an action.
type DialogOpened struct {
	TabID   int64  `json:"tabId"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// DownloadChanged says that a download began or changed state.
type DownloadChanged struct {
	TabID int64 `json:"tabId,omitempty"`
	// Its id, for the download action.
	ID    int64  `json:"id,omitempty"`
	Name  string `json:"name"`
	State string `json:"state"`
}

// TabOpened says that a page of the agent's opened another tab.
type TabOpened struct {
	TabID       int64  `json:"tabId"`
	OpenerTabID int64  `json:"openerTabId"`
	URL         string `json:"url"`
}

func (SessionStarted) isEvent()  {}
func (SessionEnded) isEvent()    {}
func (DomainBlocked) isEvent()   {}
func (GlobalStop) isEvent()      {}
func (ObstacleMet) isEvent()     {}
func (HandoffDone) isEvent()     {}
func (DialogOpened) isEvent()    {}
func (DownloadChanged) isEvent() {}
func (TabOpened) isEvent()       {}

// EventTab returns the tab that an event is about, 0 if it is about none.
func EventTab(e Event) int64 {
	switch e := e.(type) {
	case SessionStarted:
		return e.TabID
	case SessionEnded:
		return e.TabID
	case DomainBlocked:
		return e.TabID
	case ObstacleMet:
		return e.TabID
	case HandoffDone:
		return e.TabID
	case DialogOpened:
		return e.TabID
	case DownloadChanged:
		return e.TabID
	case TabOpened:
		return e.OpenerTabID
	}
	return 0
}
