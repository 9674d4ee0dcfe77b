// Package server joins the hub, the desk and the store to one listener on this machine.
//
// Browsers come in at /ws/browser; agents, the command line and scripts at the HTTP API below /v1. Whoever comes is checked here, once:
// the Host that was asked for (against DNS rebinding), the Origin (against pages and other extensions), the token and its scope. Nothing
// listens beyond loopback but what [Public] asks for, with TLS.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/user"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"github.com/drawbridge-browser/drawbridge/internal/agent"
	"github.com/drawbridge-browser/drawbridge/internal/hub"
	"github.com/drawbridge-browser/drawbridge/internal/mcpserver"
	"github.com/drawbridge-browser/drawbridge/internal/store"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// DefaultAddr is where the server listens that is told nothing else, and where the extension looks first.
const DefaultAddr = "127.0.0.1:47600"

// ExtensionID is the fixed id of our extension, made by the key in its manifest.
const ExtensionID = "hlnomgpkpndcppfcepkflgdcebgidkeg"

// Options are the knobs of [New]; nil and the zero value are fine.
type Options struct {
	// Addr is the host:port to listen on, loopback only; port 0 takes a free one. Default: DefaultAddr.
	Addr string
	// DataDir is the data directory. Default: store.DefaultDir.
	DataDir string
	// User is whose browsers the command line's own credential reaches. Default: the user of the operating system.
	User string
	// Version is what clients and browsers are told of the binary. Default: dev.
	Version string
	// Logger gets trouble as warnings and errors, ordinary comings and goings at debug level. Default: discard.
	Logger *slog.Logger
	// Origins are further origins that browsers may connect from, such as chrome-extension://<another id>.
	Origins []string
	// Hosts are further host:port by which the server is known, such as a name of this machine.
	Hosts []string
	// Downloads is the folder in which files that browsers saved may be read, for download; empty means that none may.
	Downloads string
	// Keyring keeps the key of the secrets; nil keeps it in a file of the data directory.
	Keyring store.Keyring
	// Public lets other machines in; nil means none.
	Public *Public
	// IdleEnd ends Run by itself once no agent has used the server for so long: none of its requests or event streams was under way
	// and no client of MCP had a session. 0 means never.
	IdleEnd time.Duration
	// DrainTime is how long calls under way may go on once Run is told to stop. Default: 10 s.
	DrainTime time.Duration

	// listen opens the listener; tests put a network of pipes here, on which time can be made up.
	listen func(ctx context.Context, addr string) (net.Listener, error)
	// now is the clock on the wall, by which codes expire; tests set it. nil means time.Now.
	now func() time.Time
}

const (
	defaultDrain = 10 * time.Second
	// headerTime and idleTime bound what a silent HTTP client can hold.
	headerTime = 10 * time.Second
	idleTime   = 2 * time.Minute
)

// Server is a listener with everything behind it. Make it with [New], then call [Server.Run] once.
type Server struct {
	// fixed at creation
	opts        Options
	log         *slog.Logger
	store       *store.Store
	hub         *hub.Hub
	desk        *agent.Desk
	listener    net.Listener
	public      *public         // nil when only this machine is served
	hosts       map[string]bool // by which the server is known, lower case
	origins     map[string]bool // that browsers may come from, lower case
	metrics     *metrics
	http        *http.Server
	mcps        []*mcpserver.Handler
	idle        *idle
	presence    *presence
	fingerprint string        // of the store's key, as pairing links have it
	publicKey   string        // that key, as an ack has it
	halfOpen    chan struct{} // holds one token for each half-open browser
	pace        *rate.Limiter // of browsers that are let in
	bodies      *semaphore.Weighted

	ran    atomic.Bool
	closed sync.Once

	mu       sync.Mutex
	draining chan struct{} // closed when Run is told to stop; under mu so that no socket comes in behind it
	sockets  sync.WaitGroup
	live     live
}

// New opens the data directory, listens, and writes server.json and the command line's credential. From then on clients can
// connect; they are answered once [Server.Run] runs.
//
// It fails with store.ErrInUse while another server has the directory, and with a clear error when the address is taken or is not
// loopback.
func New(opts *Options) (*Server, error) {
	s := &Server{
		draining: make(chan struct{}), halfOpen: make(chan struct{}, maxHalfOpen), pace: rate.NewLimiter(maxPace, paceBurst),
		bodies: semaphore.NewWeighted(maxBodies),
	}
	if opts != nil {
		s.opts = *opts
	}
	if err := s.opts.fill(); err != nil {
		return nil, err
	}
	s.idle = &idle{after: s.opts.IdleEnd, busy: s.hasVisitors, ended: make(chan struct{})}
	s.presence = newPresence(s.letGo)
	s.log = s.opts.Logger
	if err := checkLoopback(s.opts.Addr); err != nil {
		return nil, err
	}
	var err error
	if s.store, err = store.Open(s.opts.DataDir, &store.Options{Keyring: s.opts.Keyring, Now: s.opts.now}); err != nil {
		return nil, err
	}
	if err := s.open(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (o *Options) fill() (err error) {
	if o.Addr == "" {
		o.Addr = DefaultAddr
	}
	if o.DataDir == "" {
		if o.DataDir, err = store.DefaultDir(); err != nil {
			return err
		}
	}
	if o.User == "" {
		o.User = "local"
		if u, err := user.Current(); err == nil && u.Username != "" {
			o.User = u.Username
		}
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.DrainTime <= 0 {
		o.DrainTime = defaultDrain
	}
	if o.listen == nil {
		o.listen = listen
	}
	return nil
}

// open does what needs the data directory; on an error the caller closes s.
func (s *Server) open() (err error) {
	ctx := context.Background()
	if s.listener, err = s.opts.listen(ctx, s.opts.Addr); err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(s.Addr())
	if err != nil {
		return fmt.Errorf("read the listener's own address: %w", err)
	}
	s.hosts = knownHosts(host, port, s.opts.Hosts)
	if s.opts.Public != nil {
		if s.public, err = openPublic(ctx, s.opts.Public); err != nil {
			return err
		}
	}
	s.origins = knownOrigins(s.opts.Origins)
	s.hub = hub.New(&hub.Options{Logger: s.log})
	names, err := s.store.BrowserNames(ctx)
	if err != nil {
		return err
	}
	for _, n := range names {
		s.hub.Rename(n.User, n.BrowserID, n.Name)
	}
	before, err := s.store.LastConnected(ctx)
	if err != nil {
		return err
	}
	for _, b := range before {
		s.hub.Expect(b.User, b.BrowserID, b.Name)
	}
	own := &s.store.ServerKey().PublicKey
	if s.fingerprint, err = protocol.Fingerprint(own); err != nil {
		return err
	}
	if s.publicKey, err = protocol.PublicKey(own); err != nil {
		return err
	}
	s.metrics = newMetrics(s.hub, s.opts.Version, func() int { return len(s.halfOpen) })
	s.desk, err = agent.New(ctx, s.hub, s.store, &agent.Options{Logger: s.log, OwnPort: port, Downloads: s.opts.Downloads, Observe: s.metrics.action, Revoked: s.revoked})
	if err != nil {
		return err
	}
	if _, err := s.store.EnsureCredential(ctx, s.opts.User); err != nil {
		return err
	}
	s.http = &http.Server{
		Handler:           s.routes(),
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
		ConnContext:       withNetConn,
	}
	return s.store.WriteServerInfo(store.ServerInfo{Addr: s.Addr(), PID: os.Getpid(), Version: s.opts.Version})
}

// Addr is the host:port that the server listens on, with the real port.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// URL is where clients reach the server.
func (s *Server) URL() string { return "http://" + s.Addr() }

// DataDir is the data directory that the server holds; the command line's credential lies in it.
func (s *Server) DataDir() string { return s.store.Dir() }

// User is whose browsers the command line's own credential reaches.
func (s *Server) User() string { return s.opts.User }

// Desk is the desk behind the doors, for doors in the same process.
func (s *Server) Desk() *agent.Desk { return s.desk }

// Run serves until ctx ends, or Options.IdleEnd is over, then drains: no new calls, those under way get Options.DrainTime, browsers are told to come back later
// (4011). It closes the server, and returns nil after an orderly stop. It may be called once.
func (s *Server) Run(ctx context.Context) error {
	if s.ran.Swap(true) {
		return errors.New("the server was run already")
	}
	stopKeeping := s.desk.KeepEvents()
	served := make(chan error, 2)
	go func() { served <- s.http.Serve(s.listener) }()
	if s.PublicAddr() != "" {
		go func() { served <- s.http.Serve(s.public.listener) }()
	}
	s.idle.begin()
	var failed error
	select {
	case <-ctx.Done():
	case <-s.idle.ended:
		s.log.Info("nobody has used this server for a while, so it ends", "while", s.opts.IdleEnd)
	case failed = <-served:
		failed = fmt.Errorf("serve %s: %w", s.Addr(), failed)
	}
	s.idle.stop()
	s.presence.end()
	failed = errors.Join(failed, s.drain(context.WithoutCancel(ctx)))
	s.presence.leaving.Wait()
	for _, h := range s.mcps {
		h.Close()
	}
	stopKeeping()
	return errors.Join(failed, s.Close())
}

// drain ends what is under way: first the calls, then the browsers that did them, then the answers to the callers.
func (s *Server) drain(ctx context.Context) error {
	s.mu.Lock()
	close(s.draining)
	s.mu.Unlock()
	calls, cancel := context.WithTimeout(ctx, s.opts.DrainTime)
	defer cancel()
	stopped := make(chan error, 1)
	go func() {
		// Longer than the calls may take, so that their last answers get out.
		answers, cancel := context.WithTimeout(ctx, s.opts.DrainTime+5*time.Second)
		defer cancel()
		stopped <- s.http.Shutdown(answers)
	}()
	err := s.hub.Drain(calls)
	s.sockets.Wait()
	if late := <-stopped; late != nil {
		err = errors.Join(err, fmt.Errorf("some clients did not take their answers: %w", s.http.Close()))
	}
	return err
}

// Close lets go of the listener and the data directory. Run does it by itself; call it only for a server that never ran. It may be
// called twice.
func (s *Server) Close() error {
	var err error
	s.closed.Do(func() {
		if s.PublicAddr() != "" {
			if e := s.public.listener.Close(); !errors.Is(e, net.ErrClosed) {
				err = e
			}
		}
		if s.listener != nil {
			if e := s.listener.Close(); !errors.Is(e, net.ErrClosed) {
				err = errors.Join(err, e)
			}
			err = errors.Join(err, s.store.RemoveServerInfo())
		}
		err = errors.Join(err, s.store.Close())
	})
	return err
}
