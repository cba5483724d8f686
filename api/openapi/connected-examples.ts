// Examples of calendars and carriers that are connected, and of the texts that come by carriers.

import { sampleId as id, sampleMessage } from '../delivery/samples.ts';
import { carrier, createdAt } from './shared-records.ts';

const message = sampleMessage(Date.parse(createdAt));

export const CONNECTED_EXAMPLES: Record<string, unknown> = {
  Calendar: {
    id: id('cal'),
    kind: 'caldav',
    name: 'Anna',
    resource: 'Anna',
    address: 'https://cloud.example.com/remote.php/dav/calendars/anna/personal/',
    writes: true,
    names: true,
    state: 'ok',
    error: null,
    readAt: '2026-05-01T09:30:00.000Z',
    busyTimes: 42,
    unwritten: 0,
    writeError: null,
    createdAt: '2026-04-30T09:30:00.000Z',
  },
  AlertRule: {
    ...{ id: id('alr'), name: 'Failed calls', metric: 'failed_share', comparison: 'above', value: 0.2 },
    ...{ windowMinutes: 60, minimumCalls: 10, isActive: true, businessId: null, campaignId: null, agentId: null },
    to: [{ by: 'mail', to: 'owner@rivera.example', isSigned: false }],
    ...{
      quiet: { from: '21:00', to: '07:00' },
      timezone: 'America/New_York',
      state: 'fires',
      current: 0.34,
      calls: 41,
    },
    ...{ evaluatedAt: createdAt, createdAt },
  },
  AlertFiring: {
    ...{ id: id('alf'), metric: 'failed_share', comparison: 'above', limit: 0.2, windowMinutes: 60 },
    ...{ value: 0.34, calls: 41, endedValue: null, endedAt: null, createdAt },
  },
  CalendarFeed: {
    createdAt: '2026-05-01T09:30:00.000Z',
    names: true,
    url: 'https://voice.example.com/api/v1/businesses/biz_sample/calendar.ics?token=c2FtcGxl',
  },
  CalendarAccounts: { google: false, microsoft: true },
  FreeTimes: {
    timezone: 'America/New_York',
    durationMinutes: 30,
    times: ['2026-12-01T14:00:00.000Z', '2026-12-01T14:15:00.000Z'],
  },
  AppointmentReminders: { campaignId: id('cmp'), dayBeforeAt: '17:00', hoursBefore: null },
  CalendarSignIn: {
    id: id('csi'),
    kind: 'microsoft',
    state: 'waiting',
    url: 'https://microsoft.com/devicelogin',
    code: 'FJPVCJS9V',
    error: null,
    calendars: [],
    expiresAt: '2026-05-01T09:45:00.000Z',
  },
  Carrier: carrier,
  CarrierOwned: { phoneNumber: '+12025550100', accountId: null },
  CarrierOrder: {
    id: id('ord'),
    phoneNumber: '+12025550100',
    accountId: id('acc'),
    state: 'recorded',
    error: null,
    createdAt,
    changedAt: createdAt,
  },
  CarrierTexting: { phoneNumber: '+12025550100', error: null },
  AppointmentTexts: { confirm: true, changes: true, remindHoursBefore: 24 },
  ConversationMessage: message,
  Conversation: {
    ...{ id: id('cnv'), kind: 'sms', businessId: id('biz'), campaignId: id('cmp'), agentId: id('agt') },
    ...{ phoneNumberId: id('pn'), ownNumber: '+12125550100', personNumber: '+14155550123' },
    ...{ answeredBy: 'agent', takenBy: null, note: null, isWaiting: true, lastMessage: message },
    ...{ lastMessageAt: createdAt, createdAt },
  },
  ErasedConversations: { erased: 1 },
  CarrierTest: { ok: true, findings: carrier.findings },
};
