package e2e

import (
	"os"
	"strings"
	"testing"
)

// TestWidgetPagesLoad holds each page of e2e/widgets/pages to having its libraries: it says itself when it is ready.
func TestWidgetPagesLoad(t *testing.T) {
	t.Parallel()
	for _, name := range widgetPageNames(t) {
		t.Run(name, func(t *testing.T) {
			f := &trial{agent: sharedRig(t).newAgent(t)}
			f.showWidgets(name)
		})
	}
}

// widgetPageNames are those of all pages in e2e/widgets/pages, without their ending.
func widgetPageNames(t *testing.T) []string {
	t.Helper()
	files, err := os.ReadDir("widgets/pages")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		if name, is := strings.CutSuffix(file.Name(), ".html"); is {
			names = append(names, name)
		}
	}
	return names
}

// showWidgets opens a page of e2e/widgets/pages and waits until it says, by data-ready on its root, that its widgets are up.
func (f *trial) showWidgets(name string) string {
	f.t.Helper()
	url := f.show("http://widgets.test/widgets/" + name + ".html")
	f.until("document.documentElement.dataset.ready", `"true"`)
	return url
}
