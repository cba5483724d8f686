// Starts webhook delivery with the API.
import type { ApiContext } from '../context.ts';
import { Dispatcher } from './dispatcher.ts';

export function startDelivery(context: ApiContext): Dispatcher {
  const dispatcher = new Dispatcher(context);
  dispatcher.start();
  return dispatcher;
}
