package protocol

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// RPCVersion is the version that auth_ok names.
const RPCVersion = 1

// RPCMethod is one row of the rpc dialect's method table.
type RPCMethod struct {
	// Name is the wire's, such as sessions.attachCurrent.
	Name string
	// Params and Result are structs of rpcshape.go.
	Params, Result reflect.Type
	// Reads is true for methods that change nothing.
	Reads bool
	// Extended is true for methods that the dialect's first version did not have.
	Extended bool
}

// Key is the method's friendly name, such as session_attach_current: the namespace in the
// singular, then the name in snake case.
func (m RPCMethod) Key() string {
	space, name, _ := strings.Cut(m.Name, ".")
	key := []rune(strings.TrimSuffix(space, "s") + "_")
	for _, r := range name {
		if unicode.IsUpper(r) {
			key = append(key, '_')
		}
		key = append(key, unicode.ToLower(r))
	}
	return string(key)
}

// OnPage reports whether the method acts on a session's current tab: such calls take turns on
// their session, the others run beside them.
func (m RPCMethod) OnPage() bool { return strings.HasPrefix(m.Name, "pages.") }

func rpcMethod[P, R any](name string, flags ...func(*RPCMethod)) RPCMethod {
	m := RPCMethod{Name: name, Params: reflect.TypeFor[P](), Result: reflect.TypeFor[R]()}
	for _, f := range flags {
		f(&m)
	}
	return m
}

func rpcReads(m *RPCMethod) { m.Reads = true }
func rpcLater(m *RPCMethod) { m.Extended = true }

// RPCMethods is the white list of the rpc dialect. What is not in it is answered with
// RPCMethodNotFound, by either side.
var RPCMethods = []RPCMethod{
	rpcMethod[RPCSessionsCreate, RPCSessionsCreateResult]("sessions.create"),
	rpcMethod[RPCSessionsAttachCurrent, RPCSessionsAttachCurrentResult]("sessions.attachCurrent"),
	rpcMethod[RPCNothing, RPCSessionsListResult]("sessions.list", rpcReads),
	rpcMethod[RPCSessionsRename, RPCSessionsRenameResult]("sessions.rename"),
	rpcMethod[RPCInSession, RPCSessionsReleaseResult]("sessions.release"),
	rpcMethod[RPCInSession, RPCSessionsCloseResult]("sessions.close"),

	rpcMethod[RPCTabsOpen, RPCTabsOpenResult]("tabs.open"),
	rpcMethod[RPCInSession, RPCTabsListResult]("tabs.list", rpcReads),
	rpcMethod[RPCNothing, RPCTabsUserListResult]("tabs.userList", rpcReads),
	rpcMethod[RPCTabsSearch, RPCTabsSearchResult]("tabs.search", rpcReads, rpcLater),
	rpcMethod[RPCTabOfSession, RPCTabsAttachResult]("tabs.attach"),
	rpcMethod[RPCInSession, RPCTabsActiveResult]("tabs.active", rpcReads),
	rpcMethod[RPCTabOfSession, RPCTabsActivateResult]("tabs.activate"),
	rpcMethod[RPCTabOfSession, RPCTabsCloseResult]("tabs.close"),

	rpcMethod[RPCPagesSnapshot, RPCPagesSnapshotResult]("pages.snapshot", rpcReads),
	rpcMethod[RPCPagesRef, RPCPagesResult]("pages.click"),
	rpcMethod[RPCPagesRef, RPCPagesResult]("pages.hover"),
	rpcMethod[RPCPagesRef, RPCPagesResult]("pages.scrollIntoView"),
	rpcMethod[RPCPagesText, RPCPagesResult]("pages.fill"),
	rpcMethod[RPCPagesText, RPCPagesResult]("pages.type"),
	rpcMethod[RPCPagesSelect, RPCPagesResult]("pages.select"),
	rpcMethod[RPCPagesPress, RPCPagesResult]("pages.press"),
	rpcMethod[RPCPagesScroll, RPCPagesResult]("pages.scroll"),
	rpcMethod[RPCPagesMouse, RPCPagesResult]("pages.mouse"),
	rpcMethod[RPCPagesGet, RPCPagesGetResult]("pages.get", rpcReads),
	rpcMethod[RPCPagesScreenshot, RPCPagesScreenshotResult]("pages.screenshot", rpcReads),
	rpcMethod[RPCPagesWait, RPCPagesWaitResult]("pages.wait", rpcReads),
	rpcMethod[RPCPagesEval, RPCPagesEvalResult]("pages.eval"),
	rpcMethod[RPCPagesUpload, RPCPagesResult]("pages.upload", rpcLater),
	rpcMethod[RPCPagesSavePDF, RPCPagesSavePDFResult]("pages.savePdf", rpcReads, rpcLater),

	rpcMethod[RPCInSession, RPCNetworkResult]("network.start", rpcLater),
	rpcMethod[RPCInSession, RPCNetworkResult]("network.stop", rpcLater),
	rpcMethod[RPCInSession, RPCNetworkResult]("network.list", rpcReads, rpcLater),
	rpcMethod[RPCNetworkDetail, RPCNetworkResult]("network.detail", rpcReads, rpcLater),
}

// RPCMethodOf returns the table's row for a method's wire name.
func RPCMethodOf(name string) (RPCMethod, bool) {
	i := slices.IndexFunc(RPCMethods, func(m RPCMethod) bool { return m.Name == name })
	if i < 0 {
		return RPCMethod{}, false
	}
	return RPCMethods[i], true
}

// RPCCode is the code of a JSON-RPC error object.
type RPCCode int

// The rpc dialect's error codes: JSON-RPC's own below zero, the dialect's from 4001.
const (
	RPCInvalidRequest        RPCCode = -32600
	RPCMethodNotFound        RPCCode = -32601
	RPCInvalidParams         RPCCode = -32602
	RPCInternalError         RPCCode = -32603
	RPCUnauthorized          RPCCode = 4001
	RPCExtensionNotConnected RPCCode = 4101
	RPCOperationFailed       RPCCode = 4102
	RPCSessionRequired       RPCCode = 4103
	RPCTabNotFound           RPCCode = 4104
	RPCTabClaimed            RPCCode = 4105
	RPCTabGroupFailed        RPCCode = 4106
	RPCSessionNotFound       RPCCode = 4107
	RPCTabNotInSession       RPCCode = 4108
	RPCPageRefNotFound       RPCCode = 4109
	RPCPageOperationFailed   RPCCode = 4110
)

// RPCCodeInfo says what an rpc error code is called and which of ErrorCodes it stands for where the
// error's data says no more.
type RPCCodeInfo struct {
	Code RPCCode
	Name string
	Twin ErrorCode
}

// RPCCodes is the one table of the rpc dialect's error codes.
var RPCCodes = []RPCCodeInfo{
	{RPCInvalidRequest, "invalid_request", CodeInvalidAction},
	{RPCMethodNotFound, "method_not_found", CodeUnsupported},
	{RPCInvalidParams, "invalid_params", CodeInvalidAction},
	{RPCInternalError, "internal_error", CodeInternal},
	{RPCUnauthorized, "unauthorized", CodeUnauthorized},
	{RPCExtensionNotConnected, "extension_not_connected", CodeNotConnected},
	{RPCOperationFailed, "operation_failed", CodeInternal},
	{RPCSessionRequired, "session_required", CodeSessionNotFound},
	{RPCTabNotFound, "tab_not_found", CodeTabNotFound},
	{RPCTabClaimed, "tab_claimed", CodeInvalidAction},
	{RPCTabGroupFailed, "tab_group_failed", CodeInvalidAction},
	{RPCSessionNotFound, "session_not_found", CodeSessionNotFound},
	{RPCTabNotInSession, "tab_not_in_session", CodeTabNotFound},
	{RPCPageRefNotFound, "page_ref_not_found", CodeElementStale},
	{RPCPageOperationFailed, "page_operation_failed", CodeElementBlocked},
}

// Info returns the table's row for a code; ok is false for a code that is not in the table.
func (c RPCCode) Info() (info RPCCodeInfo, ok bool) {
	i := slices.IndexFunc(RPCCodes, func(r RPCCodeInfo) bool { return r.Code == c })
	if i < 0 {
		return RPCCodeInfo{}, false
	}
	return RPCCodes[i], true
}

// RPCRequest asks a browser for one method (server to extension). It stands in no union: the rpc
// dialect alone writes it.
type RPCRequest struct {
	// A number that only grows, in decimal.
	ID     string
	Method string
	// The method's Params.
	Params any
}

func (RPCRequest) isFrame() {}

// RPCAuth opens a connection of the rpc dialect (extension to server).
type RPCAuth struct {
	Token string `json:"token" jsonschema:"maxLength=512"`
	// What the browser is called; the same instance under a name replaces the earlier connection.
	Name string `json:"name,omitempty" jsonschema:"maxLength=128"`
	// Tells apart two browsers that go by one name: the second is refused.
	InstanceID string `json:"instanceId,omitempty" jsonschema:"maxLength=128"`
	// As in Hello: auth_ok then has serverKey and proof, as Ack does, with instanceId in the browserId's place.
	Nonce string `json:"nonce,omitempty" jsonschema:"pattern=^[0-9A-Za-z_-]+$,minLength=22,maxLength=128"`
}

// RPCError is the error of an rpc answer.
type RPCError struct {
	Code    RPCCode `json:"code"`
	Message string  `json:"message" jsonschema:"maxLength=8192"`
	// What only a Drawbridge extension adds: the Error of which this is the nearest code.
	Data json.RawMessage `json:"data,omitempty"`
}
