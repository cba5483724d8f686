// Peers that go dark at each step of a dialog, callers and callees side by side: all that is left to the service are
// its timers.

import { renderSpeech } from '../caller/speech.ts';
import { addCampaign, addTrunk } from '../outbound-setup.ts';
import { pause } from '../scenario.ts';
import { CALLEE_STEPS, type CalleeStep, DarkCallees } from './dark-callee.ts';
import { CALLER_STEPS, type CallerStep, DarkCaller } from './dark-caller.ts';
import type { Fault } from './fault.ts';
import type { Scene } from './fault-run.ts';

interface CallRow {
  id: string;
  fromNumber: string;
  status: string;
  endedAt: string | null;
}

const callerOf = (index: number): string => `+1555028${1000 + index}`;
const calleeOf = (index: number): string => `+1202557${1000 + index}`;

/** The refresh comes half-way through the shortest session timer, 45 s in. */
const SLOW_STEP: CallerStep = 'refresh of the other side';

async function eventually<T>(what: string, withinMs: number, pick: () => Promise<T | null>): Promise<T> {
  const until = performance.now() + withinMs;
  for (;;) {
    const found = await pick();
    if (found !== null) return found;
    if (performance.now() > until) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    await pause(200);
  }
}

const readCall = async ({ client }: Scene, id: string): Promise<CallRow> =>
  (await client.ask<CallRow>('GET', `/calls/${id}`)).data;

/** The call from a number, once it is there. The load fills a page of 100 in a minute or so. */
const callFrom = ({ client }: Scene, number: string): Promise<CallRow> =>
  eventually(`a call from ${number}`, 10_000, async () => {
    const { data } = await client.ask<CallRow[]>('GET', '/calls?limit=100');
    return data.find(({ fromNumber }) => fromNumber === number) ?? null;
  });

async function placeOutbound(scene: Scene, callees: DarkCallees): Promise<string[]> {
  const { client } = scene;
  const trunkId = await addTrunk(client, callees.port, { maxConcurrentCalls: 50, callsPerSecond: 50 });
  const campaign = await addCampaign(client, trunkId, '+12025550143');
  return Promise.all(
    CALLEE_STEPS.map(async (step, index) => {
      const body = { campaignId: campaign.id, fromPhoneNumberId: campaign.numberId, toNumber: calleeOf(index) };
      const { id } = (await client.ask<{ id: string }>('POST', '/calls', body)).data;
      if (step.endsWith('of the other side')) {
        await eventually(`${step}: the call is up`, 10_000, async () => callees.isUp(step) || null);
        await pause(300);
        await client.ask('POST', `/calls/${id}/end`);
      }
      return id;
    }),
  );
}

async function placeInbound(scene: Scene, callers: readonly DarkCaller[]): Promise<string[]> {
  const ids = await Promise.all(
    callers.map(async (caller) => {
      await caller.place();
      const { id } = await callFrom(scene, caller.number);
      if (caller.step === 'BYE of the other side') {
        await eventually('the call is up', 10_000, async () =>
          (await readCall(scene, id)).status === 'IN_PROGRESS' ? true : null,
        );
        await scene.client.ask('POST', `/calls/${id}/end`);
      }
      return id;
    }),
  );
  return ids;
}

function darkFault(name: string, skipped: readonly CallerStep[]): Fault {
  const steps = CALLER_STEPS.filter((step) => !skipped.includes(step));
  return {
    name,
    // Until the last call has ended: 45 s of ringing, or 32 s of timer H or B after 20 s without audio.
    shortMs: 90_000,
    longMs: 180_000,
    obstacle: () => null,
    prepare: () => ({
      async strike(scene, forMs) {
        const stepOf = (number: string): CalleeStep => CALLEE_STEPS[Number(number.slice(-4)) - 1000] ?? 'INVITE';
        const callees = await new DarkCallees(stepOf).start();
        const voice = await renderSpeech('Are you open on Saturday?', 'flite-slt');
        const callers = steps.map((step, index) => new DarkCaller(scene.sipAddress, callerOf(index), step, voice));
        try {
          const ids = (await Promise.all([placeInbound(scene, callers), placeOutbound(scene, callees)])).flat();
          for (const id of ids) {
            await eventually(`the end of ${id}`, forMs, async () =>
              (await readCall(scene, id)).endedAt === null ? null : true,
            );
          }
          const missed = [
            ...callers.filter(({ isDark }) => !isDark).map(({ step }) => `caller at ${step}`),
            ...CALLEE_STEPS.filter((step) => !callees.reached.has(step)).map((step) => `callee at ${step}`),
          ];
          if (missed.length > 0) throw new Error(`did not get as far as going dark: ${missed.join(', ')}`);
        } finally {
          for (const caller of callers) caller.close();
          callees.close();
        }
      },
    }),
  };
}

/** Without what takes minutes. */
export const DARK_SHORT = darkFault('peers go dark', [SLOW_STEP]);
export const DARK_LONG = darkFault('peers go dark', []);
