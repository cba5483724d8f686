// The made-up call of an example, by which an owner tries where messages arrive and how they look.
import { HOUR_MS } from '../../db/domain/hours/durations.ts';
import { ALERT_KIND, type NoticeKind } from '../../db/domain/notices/rules.ts';
import type { CallResource } from '../../db/records/call-record.ts';
import type { AppointmentResource, CallAnalysis } from '../../db/records/resources.ts';
import { sampleData } from '../delivery/samples.ts';
import type { Told } from './facts.ts';

export function exampleFacts(kind: NoticeKind, nowMs: number): Told[] {
  const received = sampleData('call.received', nowMs) as CallResource;
  const ended = sampleData('call.ended', nowMs) as CallResource;
  const { direction, fromNumber, toNumber } = received;
  const isMissed = kind === 'call_missed';
  const missed = { durationSeconds: 0, summary: null };
  const call: CallResource = { ...ended, direction, fromNumber, toNumber, ...(isMissed ? missed : {}) };
  if (kind === 'agent_failed') call.outcome = 'agent_failed';
  const appointment = sampleData('appointment.scheduled', nowMs) as AppointmentResource;
  const nothing = { call: null, isAnswered: false, isFromWeb: false, appointments: [], callback: null, results: null };
  if (kind === 'calendar') {
    const error = 'its server does not let us in (401): check the user name and password';
    return [{ kinds: [kind], callId: null, ...nothing, calendar: { name: 'Anna', error } }];
  }
  if (kind === ALERT_KIND) {
    const rule = {
      firingId: 'alf_example',
      ruleId: 'alr_example',
      name: 'Failed calls',
      metric: 'failed_share',
    } as const;
    const figure = { comparison: 'above', threshold: 200_000, windowMinutes: 60, value: 340_000, calls: 41 } as const;
    return [{ kinds: [kind], callId: null, ...nothing, alert: { ...rule, ...figure, isOver: false, at: nowMs } }];
  }
  return [
    {
      kinds: [kind],
      callId: null,
      call,
      isAnswered: !isMissed,
      isFromWeb: false,
      appointments: kind === 'appointment' ? [appointment] : [],
      callback: kind === 'callback' ? { at: nowMs + HOUR_MS, reason: null } : null,
      results: kind === 'results' ? (sampleData('call.analysed', nowMs) as CallAnalysis & CallResource) : null,
    },
  ];
}
