// Somebody who listens to a call, whose sockets are closed with the test.
import { afterEach } from 'node:test';
import { Listener as Listens } from '../../bench/rig/service/listener.ts';
import type { Rest } from '../../bench/rig/service/rest.ts';

const listeners: Listens[] = [];
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.close();
});

export const Listener = {
  async of(rest: Rest, callId: string): Promise<Listens> {
    const listener = await Listens.of(rest, callId);
    listeners.push(listener);
    return listener;
  },
};
