/** The page shown once after installing: how to pair, and what Chrome's warnings mean. */
const paired = document.getElementById('status');
const port = chrome.runtime.connect({name: 'status'});
port.onMessage.addListener((message: unknown) => {
  if (paired === null || typeof message !== 'object' || message === null || !('link' in message)) return;
  paired.textContent = message.link === 'ready' ? 'Paired and connected.' : '';
});

export {};
