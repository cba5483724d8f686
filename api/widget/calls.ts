// A visitor's call: an ordinary browser call, within the caps of its key and the part of the visitor's network.
import { callsOfDay, noteWidgetCall, runningWidgetCalls } from '../../db/queries/widget/uses.ts';
import { widgetObstacle } from '../../db/rules/widget-caps.ts';
import { sourceNetwork } from '../../db/shared/source-network.ts';
import { placeWebCall } from '../calls/place/place.ts';
import type { ApiContext } from '../context.ts';
import { ApiError } from '../frame/errors.ts';
import type { Visit, WidgetDoor } from './door.ts';
import { setupOfKey } from './facts.ts';
import type { WidgetCall } from './schema.ts';

/** @throws {ApiError} */
export async function beginWidgetCall(context: ApiContext, door: WidgetDoor, visit: Visit): Promise<WidgetCall> {
  const { key, origin } = visit;
  const network = sourceNetwork(visit.address);
  if ((await setupOfKey(context.read, key)) === null) throw door.refusal(visit, 'unavailable');
  let refusal: ApiError | null = null;
  try {
    const body = { campaignId: key.campaignId, metadata: { widgetKeyId: key.id, origin } };
    const { call, ...answer } = await placeWebCall(context, key.accountId, body, async (tx, { id }) => {
      const nowMs = context.now();
      const running = await runningWidgetCalls(tx, key, nowMs);
      const hasPlace = door.networks.hasPlace(key, network, running, nowMs);
      const obstacle =
        (await widgetObstacle(tx, key, 'call', nowMs)) ??
        (hasPlace ? null : 'calls_at_once') ??
        door.networks.obstacleToCall(key, network, await callsOfDay(tx, key, nowMs));
      if (obstacle !== null) {
        refusal = door.refusal(visit, obstacle);
        throw refusal;
      }
      await noteWidgetCall(tx, key, id, nowMs);
      door.networks.began(id, network);
    });
    return { callId: call.id, ...answer };
  } catch (error) {
    if (!(error instanceof ApiError) || error === refusal) throw error;
    // Its plan, its neighbours and its engine are the account's business.
    context.log.info({ widgetKeyId: key.id, code: error.code }, 'a call of a widget could not be begun');
    throw door.refusal(visit, 'unavailable', error.retryAfterSeconds);
  }
}
