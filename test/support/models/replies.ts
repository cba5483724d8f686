// The replies on a message port, kept in order and awaited by condition.
import type { MessagePort } from 'node:worker_threads';

interface Replies<Reply> {
  readonly all: Reply[];
  /** The first matching reply, now or later. */
  next(matches: (reply: Reply) => boolean): Promise<Reply>;
}

export function repliesOn<Reply>(port: MessagePort): Replies<Reply> {
  const all: Reply[] = [];
  const waiting = new Set<(reply: Reply) => void>();
  port.on('message', (reply: Reply) => {
    all.push(reply);
    for (const look of [...waiting]) look(reply);
  });
  return {
    all,
    next: (matches) => {
      const known = all.find(matches);
      if (known !== undefined) return Promise.resolve(known);
      return new Promise<Reply>((resolve) => {
        const look = (reply: Reply): void => {
          if (!matches(reply)) return;
          waiting.delete(look);
          resolve(reply);
        };
        waiting.add(look);
      });
    },
  };
}
