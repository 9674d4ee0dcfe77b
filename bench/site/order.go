package site

// Control is one control of a page: how a stylesheet and how an agent calls it, and what it is set to.
type Control struct {
	Selector, Role, Name, Value string
}

// Named is the role and the name, as an agent is told them.
func (c Control) Named() string { return c.Role + " " + c.Name }

// Order is what the form is filled with: five fields, two lists, two boxes; the tenth step sends it.
var Order = struct {
	Fields, Lists, Boxes []Control
	Send                 Control
}{
	Fields: []Control{
		{"#name", "textbox", "Name", "Ada Lovelace"},
		{"#street", "textbox", "Street", "12 St James Square"},
		{"#city", "textbox", "City", "London"},
		{"#mail", "textbox", "Mail", "ada@example.test"},
		{"#note", "textbox", "Note", "Ring twice"},
	},
	Lists: []Control{
		{"#country", "combobox", "Country", "Spain"},
		{"#size", "combobox", "Size", "Large"},
	},
	Boxes: []Control{{"#gift", "checkbox", "As a gift", ""}, {"#terms", "checkbox", "I agree", ""}},
	Send:  Control{"#send", "button", "Order", ""},
}

// Sent is what the form's page is sent when all of Order was done.
const Sent = "Ada Lovelace,12 St James Square,London,ada@example.test,Ring twice,Spain,Large,true,true"

// Press, Text and Effect are the controls of the page /press: a button that counts, a field, and what the button changes.
var (
	Press  = Control{Selector: "#press", Role: "button", Name: "Press"}
	Text   = Control{Selector: "#text", Role: "textbox", Name: "Text"}
	Effect = "#effect"
)
