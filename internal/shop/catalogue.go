package shop

import (
	"slices"
	"strings"
)

// Item is one thing that the shop sells.
type Item struct {
	// Slug names it in addresses and in the order book.
	Slug string
	// Name and Blurb are for people.
	Name, Blurb string
	// Room is where it belongs, and what a search finds it by besides its name.
	Room string
	// Cents is its price in euro cents.
	Cents int
	// Hue colours its picture, in degrees.
	Hue int
}

// Catalogue is all that the shop sells, in the order of its list.
var Catalogue = []Item{
	{"harbour-lantern", "Harbour Lantern", "A storm lantern of brushed brass. Burns for nine hours, indoors and out.", "garden", 4900, 38},
	{"reading-lamp", "Reading Lamp “Pharos”", "A narrow beam for one page, a quiet switch for those who sleep beside it.", "bedroom", 6450, 205},
	{"desk-lamp", "Desk Lamp “Skerry”", "Two joints, one hand. Warm to cool light with a turn of the head.", "study", 8900, 168},
	{"floor-lamp", "Floor Lamp “Breakwater”", "Stands in the corner and lights the ceiling, so that no one is dazzled.", "living room", 15900, 18},
	{"night-light", "Night Light “Buoy”", "Enough to find the door. Turns itself off at sunrise.", "bedroom", 1950, 268},
	{"pendant", "Pendant “Mooring”", "Opal glass over the table; the cord can be shortened without tools.", "dining room", 11200, 340},
	{"string-lights", "String Lights “Regatta”", "Twenty small bulbs on ten metres of line, for balconies and trees.", "garden", 2990, 52},
	{"candle-holder", "Candle Holder “Jetty”", "Cast iron, for one candle and a long dinner.", "dining room", 2400, 12},
	{"solar-lantern", "Solar Lantern “Tide”", "A lantern that charges by day and floats, should it fall in.", "garden", 3850, 150},
	{"wall-lamp", "Wall Lamp “Quay”", "Light up and down the wall, none in the eye.", "hallway", 7600, 222},
	{"clip-lamp", "Clip Lamp “Barnacle”", "Holds on to shelves, headboards and instruments.", "study", 3200, 190},
	{"ships-bell-lamp", "Table Lamp “Ship’s Bell”", "A shade of spun copper on a foot of oak.", "living room", 12400, 26},
}

// find returns what matches every word of the query by name, room or blurb; all for an empty query.
func find(query string) []Item {
	words := strings.Fields(strings.ToLower(query))
	var found []Item
	for _, item := range Catalogue {
		text := strings.ToLower(item.Name + " " + item.Room + " " + item.Blurb)
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) }) {
			found = append(found, item)
		}
	}
	return found
}

func lookUp(slug string) (Item, bool) {
	i := slices.IndexFunc(Catalogue, func(item Item) bool { return item.Slug == slug })
	if i < 0 {
		return Item{}, false
	}
	return Catalogue[i], true
}

// countries are where the shop sends to: code → name.
func countries() map[string]string {
	return map[string]string{"dk": "Denmark", "de": "Germany", "ie": "Ireland", "nl": "Netherlands", "pt": "Portugal"}
}
