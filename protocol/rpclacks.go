package protocol

import "slices"

// RPCLack is something of an action that the rpc dialect has no words for.
type RPCLack struct {
	Action ActionType
	// What is the part that lacks, for people; "" means the whole action.
	What string
	// Instead is what an agent can do.
	Instead string
	in      func(Action) bool
}

func lacking[A Action](what, instead string, in func(A) bool) RPCLack {
	var zero A
	return RPCLack{TypeOf(zero), what, instead, func(a Action) bool {
		own, ok := a.(A)
		return ok && in(own)
	}}
}

func wholly[A Action](instead string) RPCLack {
	return lacking("", instead, func(A) bool { return true })
}

// RPCLacks is the list of what the rpc dialect lacks: such a request is answered with unsupported,
// and nothing is sent.
var RPCLacks = []RPCLack{
	lacking("button other than left", "use mouse", func(a Click) bool { return a.Button != "" && a.Button != "left" }),
	lacking("count", "click again, or use evaluate", func(a Click) bool { return a.Count > 1 }),
	lacking("modifiers", "do without", func(a Click) bool { return len(a.Modifiers) > 0 }),
	lacking("onlyOn", "ask the user to enter the secret", func(a Type) bool { return len(a.OnlyOn) > 0 }),
	lacking("onlyOn", "ask the user to enter the secret", func(a Fill) bool { return len(a.OnlyOn) > 0 }),
	lacking("credentials", "ask the user to log in", func(a Navigate) bool { return a.Credentials != "" }),
	wholly[Download]("read the page, or fetch with evaluate"),
	lacking("more or fewer values than one", "choose one", func(a Select) bool { return len(a.Values) != 1 }),
	lacking("a target", "click it first", func(a Press) bool { return a.UID != "" || a.Selector != "" }),
	lacking("direction left and right", "use mouse with kind wheel", func(a Scroll) bool { return a.Direction == "left" || a.Direction == "right" }),
	lacking("a target together with direction, top or bottom", "use mouse with kind wheel", func(a Scroll) bool {
		return a.To != "element" && (a.UID != "" || a.Selector != "")
	}),
	wholly[Drag]("use mouse: down, move, up"),
	wholly[Upload]("files can only be named on the browser's own machine there: ask the user with what you have"),
	lacking("anything but load and ms", "take a snapshot again, or use evaluate with a promise", func(a WaitFor) bool { return a.Load == "" && a.MS == 0 }),
	lacking("markdown", "ask for parts text or elements, or take a snapshot", func(a Extract) bool {
		return len(a.Parts) == 0 || slices.Contains(a.Parts, "markdown")
	}),
	lacking("from", "take a snapshot", func(a Extract) bool { return a.From != "" }),
	lacking("since", "take a whole snapshot", func(a Snapshot) bool { return a.Since != "" }),
	lacking("text", "find by role and name", func(a Find) bool { return a.Text != "" }),
	lacking("what: attribute", "use evaluate", func(a Get) bool { return a.What == "attribute" }),
	lacking("a target", "take the viewport or the page", func(a Screenshot) bool { return a.UID != "" || a.Selector != "" }),
	wholly[Dialog]("ask the user to answer it"),
	wholly[Console]("use evaluate"),
	wholly[Handoff]("ask the user in your own words"),
}

// RPCLackOf returns what of an action the rpc dialect lacks; ok is false when it can say it all.
func RPCLackOf(a Action) (lack RPCLack, ok bool) {
	i := slices.IndexFunc(RPCLacks, func(l RPCLack) bool { return l.in(a) })
	if i < 0 {
		return RPCLack{}, false
	}
	return RPCLacks[i], true
}

// RPCActions lists the action types that the rpc dialect can say at all.
func RPCActions() []ActionType {
	var types []ActionType
	for _, m := range Methods {
		if !slices.ContainsFunc(RPCLacks, func(l RPCLack) bool { return l.Action == m.Type && l.What == "" }) {
			types = append(types, m.Type)
		}
	}
	return types
}
