// Asks the business's own system about a call that begins, and changes the call by the answer. Late or broken, the call
// goes on without; what came of it stands on the call like the run of a tool.
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import { parseTexts } from '../../db/records/resources.ts';
import { agentOf, type CallSetup, campaignSetup } from '../../db/rules/routing.ts';
import type { Db } from '../../db/schema.ts';
import { type LookupAnswer, type LookupFacts, readLookup } from '../../models/tools/lookup.ts';
import type { Clock } from '../clock.ts';
import type { ToolRun } from '../dialogue/tool-runs.ts';
import type { CallInfo, CallMedium } from './context.ts';
import type { OwnTools } from './own-tools.ts';

interface LookUpDeps {
  read: Db;
  tools: Pick<OwnTools, 'lookUp'>;
  clock: Clock;
  log: Logger;
}

export interface LookedUp {
  call: CallInfo;
  setup: CallSetup;
  /** The run and its answer; null: nobody was asked. */
  run: ToolRun | null;
  /** Why the call is not to be taken. */
  refusal: string | null;
}

/** Never throws. */
export async function lookUp(
  { call, setup, kind }: { call: CallInfo; setup: CallSetup; kind: CallMedium['kind'] },
  deps: LookUpDeps,
): Promise<LookedUp> {
  const unchanged: LookedUp = { call, setup, run: null, refusal: null };
  if (setup.business.lookup === null) return unchanged;
  const { clock, tools, log } = deps;
  const startedAtMs = clock.monotonicMs();
  const facts = factsOf(call, setup, kind);
  const { ok, body, result } = await tools.lookUp(setup.business, facts);
  const answer = ok ? readLookup(body) : null;
  const run: ToolRun = {
    call: { id: 'lookup', name: 'lookup', arguments: { fromNumber: facts.fromNumber, toNumber: facts.toNumber } },
    startedAtMs,
    tookMs: clock.monotonicMs() - startedAtMs,
    result,
    ok: answer !== null,
    state: 'answered',
  };
  if (answer === null) return { ...unchanged, run };
  try {
    const changed = await changedBy(answer, { call, setup, kind }, deps.read);
    return { ...changed, run, refusal: answer.refusal };
  } catch (error) {
    log.error(
      { callId: call.id, error: messageOf(error) },
      'a look-up could not be followed: the call goes on without',
    );
    return { ...unchanged, run: { ...run, ok: false } };
  }
}

function factsOf(call: CallInfo, { business, campaign, agent }: CallSetup, kind: CallMedium['kind']): LookupFacts {
  return {
    callId: call.id,
    direction: kind === 'outbound' ? 'outbound' : 'inbound',
    fromNumber: call.fromNumber,
    toNumber: call.toNumber,
    callerName: call.callerName,
    businessId: business.id,
    campaignId: campaign.id,
    agentId: agent.id,
    variables: parseTexts(call.variables),
  };
}

/** A campaign or an agent that is not the account's is left out. A call that was placed keeps its campaign. */
async function changedBy(
  { variables, instructions, callerName, agentId, campaignId }: LookupAnswer,
  { call, setup, kind }: { call: CallInfo; setup: CallSetup; kind: CallMedium['kind'] },
  read: Db,
): Promise<{ call: CallInfo; setup: CallSetup }> {
  const { accountId } = call;
  const number = kind === 'outbound' ? call.toNumber : call.fromNumber;
  const other =
    campaignId !== null && kind === 'inbound' ? await campaignSetup(read, { accountId, campaignId, number }) : null;
  const chosen = other ?? setup;
  const agent = agentId === null ? null : await agentOf(read, { accountId, id: agentId, number });
  return {
    call: {
      ...call,
      callerName: callerName ?? call.callerName,
      variables: JSON.stringify({ ...parseTexts(call.variables), ...variables }),
      ...(instructions === null ? {} : { instructions }),
    },
    setup: agent === null ? chosen : { ...chosen, agent },
  };
}
