/** The browser's own WebSocket, as little of it as the link uses. */

/** Socket is an open or opening WebSocket. */
export interface Socket {
  send(text: string): void;
  close(): void;
  /** Bytes that wait to be sent. */
  buffered(): number;
}

/** What a socket tells the link. */
export interface SocketListener {
  open(): void;
  message(text: string): void;
  /** Told once, also when the socket never opened. */
  closed(code: number): void;
}

/** OpenSocket is a Socket on the browser's own WebSocket. */
export function openSocket(url: string, listener: SocketListener): Socket {
  const socket = new WebSocket(url);
  socket.addEventListener('open', () => {
    listener.open();
  });
  socket.addEventListener('message', (event: MessageEvent<unknown>) => {
    // Binary frames are no part of either dialect; as text they fail the schema and are counted.
    listener.message(typeof event.data === 'string' ? event.data : '');
  });
  socket.addEventListener('close', (event) => {
    listener.closed(event.code);
  });
  return {
    send: (text) => {
      socket.send(text);
    },
    close: () => {
      socket.close();
    },
    buffered: () => socket.bufferedAmount,
  };
}
