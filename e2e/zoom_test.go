package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// What is seen in a picture is hit where the picture shows it, whatever the zoom and the screen.
func TestPicturesAgreeWithTheMouse(t *testing.T) {
	t.Parallel()
	for _, ratio := range []string{"1", "1.5", "2"} {
		t.Run("ratio "+ratio, func(t *testing.T) {
			r := newRig(t, rigOptions{switches: []string{"--force-device-scale-factor=" + ratio}})
			for _, zoom := range []string{"0.67", "1", "1.5"} {
				t.Run("zoom "+zoom, func(t *testing.T) {
					f := &trial{agent: r.newAgent(t)}
					f.show(strings.Replace(f.html("zoomed", `<body style="margin:0;background:#fff"><script>hits = ''</script><div id=b style="position:absolute;left:233px;top:171px;width:41px;height:29px;background:#00f" onmousedown="hits += 'b'"></div>
						<button style="position:absolute;left:20px;top:300px" onclick="hits += 'c'">Real</button><div style="height:3000px"></div>
						<div id=far style="position:absolute;left:99px;top:2000px;width:41px;height:29px;background:#00f" onmousedown="hits += 'f'">`),
						"page.test", "zoom"+strings.ReplaceAll(zoom, ".", "-")+".test", 1))
					r.inWorker(t, fmt.Sprintf("chrome.tabs.setZoom(%d, %s)", f.page.TabID, zoom))
					want := number(t, ratio) * number(t, zoom)
					f.until(fmt.Sprintf("Math.abs(devicePixelRatio - %v) < 0.02", want), "true")
					hits := ""
					for _, step := range []struct{ y, saw string }{{"0", "b"}, {"1800", "f"}} {
						f.run("scrollTo(0, " + step.y + ")")
						f.until("scrollY", step.y)
						picture, result := f.shot(protocol.Screenshot{Page: f.page})
						x, y, found := spot(picture)
						if !found {
							t.Fatal("the picture does not show the box")
						}
						scale := scaleOf(result)
						if width := number(t, f.says("innerWidth")); math.Abs(float64(result.Width)-width*scale) > 2 || max(result.Width, result.Height) > longEdge {
							t.Errorf("a viewport of %v CSS pixels gives a picture of %d × %d, scale %v", width, result.Width, result.Height, scale)
						}
						do[protocol.MouseResult](f.agent, protocol.Mouse{Page: f.page, Kind: "click", X: x / scale, Y: y / scale})
						hits += step.saw
						f.until("hits", `"`+hits+`"`)
					}
					f.press(f.ref("button", "Real"))
					f.until("hits", `"bfc"`)
					element, result := f.shot(protocol.Screenshot{Page: f.page, MaybeTarget: protocol.MaybeTarget{Selector: "#b"}})
					if !blue(element) || math.Abs(float64(result.Width)-41) > 1.5 || math.Abs(float64(result.Height)-29) > 1.5 {
						t.Errorf("the element's picture is %d × %d", result.Width, result.Height)
					}
					whole, result := f.shot(protocol.Screenshot{Page: f.page, FullPage: true})
					if size := whole.Bounds().Size(); max(size.X, size.Y) > longEdge || math.Abs(float64(result.Height)/scaleOf(result)-3000) > 20 {
						t.Errorf("the whole page's picture is %v, scale %v", size, scaleOf(result))
					}
				})
			}
		})
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	var n float64
	if _, err := fmt.Sscan(text, &n); err != nil {
		t.Fatal(err)
	}
	return n
}
