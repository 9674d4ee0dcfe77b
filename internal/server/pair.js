'use strict';
const show = () => {
  // The code is checked by shape before it is shown: whoever makes up a link must not write on this page.
  const code = location.hash.slice(1);
  const good = /^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}(\.[0-9A-F]{32})?$/i.test(code);
  document.getElementById('ready').hidden = !good;
  document.getElementById('missing').hidden = good;
  if (good) document.getElementById('link').textContent = `${location.origin}/pair#${code.toUpperCase()}`;
};
addEventListener('hashchange', show);
show();
document.getElementById('copy').addEventListener('click', async () => {
  const note = document.getElementById('copied');
  try {
    await navigator.clipboard.writeText(document.getElementById('link').textContent);
    note.textContent = 'Copied. Now click the Drawbridge icon and paste.';
  } catch {
    getSelection().selectAllChildren(document.getElementById('link'));
    note.textContent = 'Press Ctrl+C (⌘C on a Mac) to copy the marked link.';
  }
});
