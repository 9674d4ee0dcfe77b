package client_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

func ExampleNew() {
	ctx := context.Background()
	house, err := openHouse(ctx) // a server; yours runs by drawbridge up
	if err != nil {
		fmt.Println(err)
		return
	}
	defer house.close()

	c, err := client.New(house.url, house.token, &client.Options{Session: "invoices"})
	if err != nil {
		fmt.Println(err)
		return
	}
	version, err := c.Health(ctx)
	fmt.Println(version, err)
	browsers, err := c.Browsers(ctx)
	fmt.Println(len(browsers), "browsers", err)
	// Output:
	// example <nil>
	// 0 browsers <nil>
}

// Errors are told apart by their code, and say whether anything was done.
func ExampleDo() {
	ctx := context.Background()
	house, err := openHouse(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer house.close()
	c, err := client.New(house.url, house.token, nil)
	if err != nil {
		fmt.Println(err)
		return
	}

	tab, err := client.Do[protocol.OpenTabResult](ctx, c, protocol.OpenTab{URL: "https://example.com/"})
	var failure *protocol.Error
	switch {
	case err == nil:
		fmt.Println(tab.Title)
	case errors.As(err, &failure) && failure.Code == protocol.CodeNotConnected:
		fmt.Println("no browser is connected:", failure.Outcome)
	default:
		fmt.Println(err)
	}
	_, err = client.Do[protocol.ClickResult](ctx, c, protocol.Click{}) // on what?
	fmt.Println(errors.Is(err, &protocol.Error{Code: protocol.CodeInvalidAction}))
	// Output:
	// no browser is connected: not_sent
	// true
}

// What happens in the user's browsers comes for as long as the loop runs.
func ExampleClient_Events() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	house, err := openHouse(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer house.close()
	following := &follower{base: house.transport, begun: make(chan struct{})}
	c, err := client.New(house.url, house.token, &client.Options{HTTP: following.client()})
	if err != nil {
		fmt.Println(err)
		return
	}
	go house.visit(ctx, following.begun) // a browser comes and goes

	for notice, err := range c.Events(ctx) {
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(notice.Kind)
		if notice.Kind == protocol.NoticeDisconnected {
			break // ends the request too
		}
	}
	// Output:
	// connected
	// disconnected
}
