package e2e

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// longEdge is how long a picture's longer side is at most, in its own pixels, unless more is asked for.
const longEdge = 1568

// shot takes a picture and holds it to what the result says of it.
func (a *agent) shot(action protocol.Screenshot) (image.Image, protocol.ScreenshotResult) {
	a.t.Helper()
	result := do[protocol.ScreenshotResult](a, action)
	raw, err := base64.StdEncoding.DecodeString(result.Data)
	if err != nil {
		a.t.Fatal(err)
	}
	picture, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		a.t.Fatalf("%s: %v", result.MimeType, err)
	}
	if size := picture.Bounds().Size(); size.X != result.Width || size.Y != result.Height {
		a.t.Errorf("the picture is %v, the result says %d × %d", size, result.Width, result.Height)
	}
	return picture, result
}

// scaleOf is how many pixels of the picture a CSS pixel has.
func scaleOf(result protocol.ScreenshotResult) float64 {
	if result.Scale == 0 {
		return 1
	}
	return result.Scale
}

// spot is the middle of what is blue in a picture, in its own pixels.
func spot(picture image.Image) (x, y float64, found bool) {
	box := image.Rectangle{}
	for py := picture.Bounds().Min.Y; py < picture.Bounds().Max.Y; py++ {
		for px := picture.Bounds().Min.X; px < picture.Bounds().Max.X; px++ {
			if r, g, b, _ := picture.At(px, py).RGBA(); b>>8 > 200 && r>>8 < 60 && g>>8 < 60 {
				box = box.Union(image.Rect(px, py, px+1, py+1))
			}
		}
	}
	return float64(box.Min.X+box.Max.X) / 2, float64(box.Min.Y+box.Max.Y) / 2, !box.Empty()
}

// What a person would see, in the pixels in which one clicks, and soon.
var screenshots = []fault{
	{"minimized_window", func(f *trial) {
		f.load(`<body style="margin:0;background:#fff"><button onclick="document.title='hit'">Go</button><div style="width:50px;height:50px;background:#00f"></div>`)
		f.worker(fmt.Sprintf("(async () => { const {windowId} = await chrome.tabs.get(%d); await chrome.windows.update(windowId, {state: 'minimized'}) })()", f.page.TabID))
		f.lists(`button "Go"`, 1)
		f.press(f.ref("button", "Go"))
		f.until("document.title", `"hit"`)
		if picture, _ := f.shot(protocol.Screenshot{Page: f.page}); !blue(picture) {
			f.t.Error("the picture does not show the page")
		}
	}},
	{"picture_that_does_not_come", func(f *trial) {
		f.show(strings.Replace(f.html("busy", `<button>Go</button>`), "page.test", "busy.test", 1))
		other := f.open(strings.Replace(f.html("other", `<h1>Other</h1>`), "page.test", "idle.test", 1))
		f.run("setTimeout(() => { for (const end = performance.now() + 9000; performance.now() < end;); document.title = 'over' }, 0)")
		began := time.Now()
		shot := make(chan error, 1)
		ctx := within(f.t)
		go func() {
			_, err := f.try(ctx, protocol.Screenshot{Page: f.page})
			shot <- err
		}()
		do[protocol.ListTabsResult](f.agent, protocol.ListTabs{})
		if tree := do[protocol.SnapshotResult](f.agent, protocol.Snapshot{Page: other}); !strings.Contains(tree.Snapshot, "Other") {
			f.t.Errorf("the other tab tells\n%s", tree.Snapshot)
		}
		select {
		case err := <-shot:
			f.t.Errorf("the others waited for the picture, which ended first: %v", err)
		default:
		}
		refusal := f.failed(protocol.CodeTimeout, protocol.Screenshot{}, <-shot)
		if took := time.Since(began); took > 8*time.Second {
			f.t.Errorf("the picture was waited for %s", took)
		}
		if !containsFold(refusal.Message, "busy") {
			f.t.Errorf("the error does not name the cause: %s", refusal.Message)
		}
		f.until("document.title", `"over"`)
		f.shot(protocol.Screenshot{Page: f.page})
	}},
	{"page_of_twenty_thousand_pixels", func(f *trial) {
		f.load(`<body style="margin:0"><div style="position:fixed;top:0;height:10vh;width:100%;background:#eee">bar</div><div id=m style="height:20000px;background:linear-gradient(#f00,#00f)"></div>
			<script>resized = 0; onresize = () => resized++; scrollTo(0, 3000)</script>`)
		f.until("scrollY", "3000")
		before := f.says("[scrollY, innerWidth, innerHeight, document.querySelector('div').offsetHeight]")
		for _, tall := range []string{"20000px", "70000px"} {
			f.run("m.style.height = '" + tall + "'")
			picture, result := f.shot(protocol.Screenshot{Page: f.page, FullPage: true})
			if size := picture.Bounds().Size(); max(size.X, size.Y) > longEdge {
				f.t.Errorf("the picture of %s is %v", tall, size)
			}
			if scale := scaleOf(result); scale >= 1 || math.Abs(float64(result.Width)-scale*900) > 2 {
				f.t.Errorf("of a page %s tall the result says scale %v", tall, scale)
			}
			if tall == "70000px" {
				f.tells(result.Notes, "70000 pixels tall")
			}
		}
		f.until("[scrollY, innerWidth, innerHeight, document.querySelector('div').offsetHeight]", before)
	}},
	{"at_once_after_a_navigation", func(f *trial) {
		f.load("<p>first")
		path := f.html("colour", `<body style="margin:0;background:#00f">`)
		user := do[protocol.OpenTabResult](f.agent, protocol.OpenTab{URL: f.html("users", `<body style="background:#f00">`)})
		for i := range 20 {
			f.goTo(fmt.Sprintf("%s?%d", path, i))
			// The user goes from tab to tab meanwhile.
			f.worker(fmt.Sprintf("chrome.tabs.update(%d, {active: true})", []int64{user.TabID, f.page.TabID}[i%2]))
			began := time.Now()
			picture, _ := f.shot(protocol.Screenshot{Page: f.page, Format: "jpeg", Quality: 50})
			if took := time.Since(began); took > 5*time.Second {
				f.t.Errorf("picture %d took %s", i, took)
			}
			if _, _, b, _ := picture.At(picture.Bounds().Dx()/2, picture.Bounds().Dy()/2).RGBA(); b>>8 < 200 {
				f.t.Errorf("picture %d shows another page", i)
			}
		}
	}},
	{"longer_than_a_model_takes", func(f *trial) {
		f.load(`<body style="margin:0"><div id=wide style="width:4000px;height:200px;background:#00f"></div>`)
		picture, result := f.shot(protocol.Screenshot{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: "#wide"}})
		if picture.Bounds().Dx() != longEdge || math.Abs(scaleOf(result)-float64(longEdge)/4000) > 0.001 {
			f.t.Errorf("the picture is %v, its scale %v", picture.Bounds().Size(), result.Scale)
		}
		picture, result = f.shot(protocol.Screenshot{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: "#wide"}, LongEdge: 4000})
		if picture.Bounds().Dx() != 4000 || scaleOf(result) != 1 {
			f.t.Errorf("asked for 4000 the picture is %v, its scale %v", picture.Bounds().Size(), result.Scale)
		}
	}},
}

func blue(picture image.Image) bool {
	_, _, found := spot(picture)
	return found
}

// worker has the extension's worker do something, as a user's own doing would come about.
func (f *trial) worker(script string) {
	f.t.Helper()
	f.rig.inWorker(f.t, script)
}

func (r *rig) inWorker(t *testing.T, script string) {
	t.Helper()
	target, err := r.browser.Worker(within(t))
	if err != nil {
		t.Fatal(err)
	}
	session, err := r.browser.Attach(within(t), target.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Detach(within(t)) }()
	if err := session.Evaluate(within(t), script, nil); err != nil {
		t.Fatal(err)
	}
}
