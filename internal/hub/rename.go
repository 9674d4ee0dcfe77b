package hub

// Rename gives a user's browser a name that goes before the one that it says of itself; empty takes it away. It holds until the hub
// ends, whether the browser is connected or not. The caller sees to it that no two browsers of a user are given the same.
func (h *Hub) Rename(user, browserID, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if key := memoryKey(user, browserID); name == "" {
		delete(h.given, key)
	} else {
		h.given[key] = name
	}
	if u := h.users[user]; u != nil && u.browsers[browserID] != nil {
		u.browsers[browserID].peer.given.Store(&name)
	}
}
