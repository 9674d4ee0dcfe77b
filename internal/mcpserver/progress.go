package mcpserver

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressEvery is how often a client that asked for progress hears that its call is still under way: often
// enough for clients that give up on a server after a silence of some seconds.
const progressEvery = 2 * time.Second

// report tells a client that asked for it, by a progress token, how long its call has been under way, until
// the function that it returns is called.
func report(ctx context.Context, r *mcp.CallToolRequest) (stop func()) {
	token := r.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		begun := time.Now()
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			// Who does not hear it any more will be told the outcome or is gone: nothing to do about it here.
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: time.Since(begun).Seconds(), Message: "still at work in the browser",
			})
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
