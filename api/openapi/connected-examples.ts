// Examples of calendars and carriers that are connected.

import { sampleId as id } from '../delivery/samples.ts';
import { carrier, createdAt } from './shared-records.ts';

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
  CalendarFeed: {
    createdAt: '2026-05-01T09:30:00.000Z',
    names: true,
    url: 'https://voice.example.com/api/v1/businesses/biz_sample/calendar.ics?token=c2FtcGxl',
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
  CarrierTest: { ok: true, findings: carrier.findings },
};
