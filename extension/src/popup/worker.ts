import type {Answer, Status, ToWorker} from '../messages';

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isStatus(value: unknown): value is Status {
  return isObject(value) && typeof value.link === 'string' && Array.isArray(value.sessions);
}

function isAnswer(value: unknown): value is Answer {
  return isObject(value) && typeof value.ok === 'boolean' && isStatus(value.status);
}

/** ask sends one request to the worker and returns its answer; it throws when the worker gives none. */
export async function ask(request: ToWorker): Promise<Answer> {
  const answer: unknown = await chrome.runtime.sendMessage(request);
  if (!isAnswer(answer)) throw new Error('the extension gave no answer: reload it on chrome://extensions');
  return answer;
}

/**
 * follow calls show with the status now and after every change, until the page closes. A worker that
 * Chrome recycled drops the port: the page connects again, which starts the worker.
 */
export function follow(show: (status: Status) => void): void {
  const port = chrome.runtime.connect({name: 'status'});
  port.onMessage.addListener((message: unknown) => {
    if (isStatus(message)) show(message);
  });
  port.onDisconnect.addListener(() => {
    follow(show);
  });
}
