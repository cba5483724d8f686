// Channels of an engine that died: FreeSWITCH itself ends them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../../../bench/rig/phone/sip-harness.ts';
import { DeadManSwitch } from '../../../../../engine/sip/adapters/drachtio/media/dead-man-switch.ts';
import { startSwitches } from '../../../../support/sip/scripted-switch.ts';

/** FreeSWITCH's scheduler: tasks by group, as its `sched_api` and `sched_del` keep them. */
function scheduler() {
  let nowSeconds = 0;
  let tasks: Array<{ atSeconds: number; group: string; command: string }> = [];
  const ran: string[] = [];
  const api = async (text: string): Promise<string> => {
    const [, seconds, group = '', command = ''] = /^sched_api \+(\d+) (\S+) (.+)$/.exec(text) ?? [];
    const deleted = /^sched_del (\S+)$/.exec(text)?.[1];
    if (seconds !== undefined) tasks.push({ atSeconds: nowSeconds + Number(seconds), group, command });
    else if (deleted !== undefined) tasks = tasks.filter((task) => task.group !== deleted);
    else return '-ERR no such command\n';
    return '+OK\n';
  };
  const advance = (seconds: number): void => {
    nowSeconds += seconds;
    ran.push(...tasks.filter(({ atSeconds }) => atSeconds <= nowSeconds).map(({ command }) => command));
    tasks = tasks.filter(({ atSeconds }) => atSeconds > nowSeconds);
  };
  return { api, advance, ran };
}

test('nothing is hung up while the engine lives; 20 s after its last word its own channels are', async () => {
  const freeswitch = scheduler();
  const alive = new DeadManSwitch('voice-0.engine-0', 'fs', silentLog);
  for (let round = 0; round < 20; round++) {
    await alive.renew(freeswitch);
    freeswitch.advance(5);
  }
  assert.deepEqual(freeswitch.ran, []);
  freeswitch.advance(15);
  assert.deepEqual(freeswitch.ran, ['hupall NORMAL_TEMPORARY_FAILURE sip_from_user voice-0.engine-0']);
});

test('a connection that broke between two commands leaves no task that ends running calls', async () => {
  const freeswitch = scheduler();
  const alive = new DeadManSwitch('voice-0.engine-0', 'fs', silentLog);
  await alive.renew(freeswitch);
  freeswitch.advance(5);
  await alive.renew({
    api: (text) =>
      text.startsWith('sched_del') ? Promise.reject(new Error('connection closed')) : freeswitch.api(text),
  });
  for (let round = 0; round < 20; round++) {
    freeswitch.advance(5);
    await alive.renew(freeswitch);
  }
  assert.deepEqual(freeswitch.ran, []);
});

test('a FreeSWITCH that knows no scheduler is reported once', async () => {
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_fields: object, text: string) => warnings.push(text) };
  const alive = new DeadManSwitch('voice-0.engine-0', 'fs', log);
  for (let round = 0; round < 3; round++) await alive.renew({ api: async () => '-ERR no such command\n' });
  assert.equal(warnings.length, 1);
});

test('the task is set before FreeSWITCH gets its first call', { timeout: 20_000 }, async () => {
  const it = await startSwitches({});
  const [set, ended] = [/^sched_api \+20 dead-voice-0\.engine-0-a /, 'uuid_kill'];
  assert.ok(it.first.events.commands.some((command) => set.test(command)));
  assert.ok(!it.first.events.commands.some((command) => command.startsWith(ended)));
  await it.stop();
});
