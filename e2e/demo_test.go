package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestDemo(t *testing.T) {
	cmd := exec.CommandContext(within(t), drawbridge(t), "demo", "--headless", "--json")
	temp := t.TempDir()
	cmd.Env = append(os.Environ(), "TMPDIR="+temp, "DRAWBRIDGE_DATA_DIR="+filepath.Join(temp, "data"))
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); err != nil {
		t.Fatalf("the demo failed: %v\n%s%s", err, out.String(), log.String())
	}
	if log.Len() > 0 {
		t.Errorf("all was well, and yet it logged:\n%s", log.String())
	}
	var summary struct {
		Steps, Tokens int
		Seconds       float64
		Order         string
		OK            bool
	}
	if err := json.Unmarshal(out.Bytes(), &summary); err != nil {
		t.Fatalf("%v in %q", err, out.String())
	}
	if !summary.OK || summary.Order != "HL-1001" || summary.Steps < 30 || summary.Tokens == 0 || summary.Seconds == 0 {
		t.Errorf("the summary is %+v", summary)
	}
	left, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range left {
		t.Errorf("the demo left %s behind", entry.Name())
	}
}

func TestDemoReadsAnyPage(t *testing.T) {
	t.Parallel()
	r := sharedRig(t)
	out, err := exec.CommandContext(within(t), drawbridge(t), "demo", "--headless", "--url", "http://"+r.site.addr+"/plain.html").Output()
	if err != nil {
		t.Fatalf("the demo failed: %v\n%s", err, out)
	}
	if !bytes.Contains(out, []byte("It has a paragraph")) {
		t.Errorf("it does not tell what the page says:\n%s", out)
	}
}
