package client

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// File opens a file that the server keeps: an answer's File, after a request with As set to protocol.AsFile. The caller reads it to
// its end, which is io.EOF only where all of it came, and closes it; ctx bounds the reading too. A file that is over is an error of
// code invalid_action.
func (c *Client) File(ctx context.Context, id string) (io.ReadCloser, error) {
	return c.open(ctx, "/v1/files/"+url.PathEscape(id))
}

// open asks for an answer that is read as it comes. Its connection is not for the next call: a stream ends when its server does.
func (c *Client) open(ctx context.Context, path string) (io.ReadCloser, error) {
	request, err := c.request(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	request.Close = true
	response, err := c.http.Do(request)
	if err != nil {
		return nil, c.failed(ctx, err)
	}
	if response.StatusCode == http.StatusOK {
		return response.Body, nil
	}
	defer func() { _ = response.Body.Close() }() // all that was wanted of it was read
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxEvent))
	if err != nil {
		return nil, c.failed(ctx, err)
	}
	if err := c.read(response, raw, &struct{}{}); err != nil {
		return nil, err
	}
	return nil, protocol.Errorf(protocol.CodeInternal, "%s answered %s to GET %s: is it a drawbridge server?", c.base, response.Status, path).
		WithOutcome(protocol.Unknown).WithHint(strangerHint)
}
