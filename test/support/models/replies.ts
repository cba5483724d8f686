// The replies on a message port, kept in order and awaited by condition.
import type { MessagePort } from 'node:worker_threads';

export interface Replies<Reply> {
  readonly all: Reply[];
  /** The first matching reply, now or later. */
  next(matches: (reply: Reply) => boolean): Promise<Reply>;
}

export function repliesOn<Reply>(port: MessagePort): Replies<Reply> {
  const all: Reply[] = [];
  const wake = new Set<() => void>();
  port.on('message', (reply: Reply) => {
    all.push(reply);
    for (const look of [...wake]) look();
  });
  return {
    all,
    next: (matches) =>
      new Promise<Reply>((resolve) => {
        const look = (): void => {
          const found = all.find(matches);
          if (!found) return;
          wake.delete(look);
          resolve(found);
        };
        wake.add(look);
        look();
      }),
  };
}
