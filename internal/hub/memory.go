package hub

import (
	"slices"
	"sync"
)

// Memory is what the hub remembers of one browser for a dialect that tells no
// owners: which agent each session is for, which tabs are in it, and which the
// agent used last. It outlives the browser's connections. Its methods may be
// called concurrently.
type Memory struct {
	mu       sync.Mutex // taken alone: nothing else is locked under it
	sessions map[string]*heldSession
	uses     uint64 // rises with each use
}

type heldSession struct {
	agent string
	tabs  []int64
	used  uint64
}

// maxSessions bounds what an unruly peer can make the hub remember.
const maxSessions = 1024

func newMemory() *Memory { return &Memory{sessions: map[string]*heldSession{}} }

// Own says that a session is an agent's, with these tabs in it, and used just now.
func (m *Memory) Own(agent, session string, tabs ...int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sessions[session]
	if s == nil {
		if len(m.sessions) >= maxSessions {
			m.dropOldestLocked()
		}
		s = &heldSession{}
		m.sessions[session] = s
	}
	s.agent = agent
	m.uses++
	s.used = m.uses
	m.putLocked(s, tabs)
}

func (m *Memory) putLocked(into *heldSession, tabs []int64) {
	for _, tab := range tabs {
		for _, s := range m.sessions {
			s.tabs = slices.DeleteFunc(s.tabs, func(t int64) bool { return t == tab })
		}
		into.tabs = append(into.tabs, tab)
	}
}

func (m *Memory) dropOldestLocked() {
	oldest, used := "", m.uses+1
	for name, s := range m.sessions {
		if s.used < used {
			oldest, used = name, s.used
		}
	}
	delete(m.sessions, oldest)
}

// Owner returns the agent that a session is for; ok is false for one that the hub does not know.
func (m *Memory) Owner(session string) (agent string, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sessions[session]
	if s == nil {
		return "", false
	}
	return s.agent, true
}

// Latest returns the session that an agent used last, "" for none.
func (m *Memory) Latest(agent string) (session string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var used uint64
	for name, s := range m.sessions {
		if s.agent == agent && s.used > used {
			session, used = name, s.used
		}
	}
	return session
}

// SessionOf returns the session that a tab is in, "" for none that the hub knows of.
func (m *Memory) SessionOf(tab int64) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, s := range m.sessions {
		if slices.Contains(s.tabs, tab) {
			return name
		}
	}
	return ""
}

// Forget says that a session is gone.
func (m *Memory) Forget(session string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.sessions, session)
}

// ForgetTab says that a tab is gone, or in no session any more.
func (m *Memory) ForgetTab(tab int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.sessions {
		s.tabs = slices.DeleteFunc(s.tabs, func(t int64) bool { return t == tab })
	}
}

// Announced says which sessions the browser has now, with their tabs: what is
// absent is gone, and whose a session is stays as it was.
func (m *Memory) Announced(sessions map[string][]int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, s := range m.sessions {
		tabs, there := sessions[name]
		if !there {
			delete(m.sessions, name)
			continue
		}
		s.tabs = slices.Clone(tabs)
	}
}

func (m *Memory) empty() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.sessions) == 0
}
