package main

import (
	"regexp"
	"strings"
)

// refForm is a ref in each of the forms that people and models write.
var refForm = regexp.MustCompile(`^(?:@|ref=|@ref=)?(e[0-9]{1,15})$`)

// putTarget puts a target into an action's members: a ref, or else a CSS selector.
func putTarget(members map[string]any, word string) {
	word = strings.TrimSpace(word)
	if ref := refForm.FindStringSubmatch(word); ref != nil {
		members["uid"] = ref[1]
		return
	}
	members["selector"] = word
}
