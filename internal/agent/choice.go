package agent

import (
	"slices"
	"sync"
)

// maxChoices bounds how many agents' choices are kept; the oldest is forgotten first, and that agent is asked again.
const maxChoices = 4096

// choices says which browser each agent named last: an agent chooses once, not with every call. They live as long as the server
// does. An agent whose choice is gone is told which browsers there are, and never sent to another one.
type choices struct {
	mu    sync.Mutex
	named map[string]string
	order []string
}

// of is the browser to act in for an agent that named browser, or none.
func (c *choices) of(agent, browser string) string {
	if browser != "" {
		return browser
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.named[agent]
}

// forget is for an agent that will not come again.
func (c *choices) forget(agent string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.named[agent]; known {
		delete(c.named, agent)
		c.order = slices.DeleteFunc(c.order, func(other string) bool { return other == agent })
	}
}

// set keeps the browser that an agent named.
func (c *choices) set(agent, browser string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.named == nil {
		c.named = map[string]string{}
	}
	if _, known := c.named[agent]; !known {
		c.order = append(c.order, agent)
		if len(c.order) > maxChoices {
			delete(c.named, c.order[0])
			c.order = c.order[1:]
		}
	}
	c.named[agent] = browser
}
