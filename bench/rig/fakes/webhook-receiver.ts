// The receiver of the webhook bench, in a separate process. Path /hang never answers. Controlled by messages: `reset`,
// `report`.
import { respond, startReceiver } from '../service/receiver.ts';

export interface ReceiverReport {
  received: number;
  firstAtMs: number;
  lastAtMs: number;
  /** Arrival time minus the event's createdAt. */
  lagsMs: number[];
  hanging: number;
}

const receiver = await startReceiver({ otherwise: respond(204) });
receiver.behave('/hang', () => {});

function report(): ReceiverReport {
  const arrived = receiver.received.filter(({ path }) => path !== '/hang');
  return {
    received: arrived.length,
    firstAtMs: arrived[0]?.atMs ?? 0,
    lastAtMs: arrived.at(-1)?.atMs ?? 0,
    lagsMs: arrived.map(({ atMs, createdAt }) => atMs - Date.parse(createdAt)),
    hanging: receiver.received.length - arrived.length,
  };
}

process.on('message', (message) => {
  if (message === 'reset') receiver.received.length = 0;
  if (message === 'report') process.send?.(report());
});
process.on('disconnect', () => process.exit(0));
process.send?.({ port: receiver.port });
