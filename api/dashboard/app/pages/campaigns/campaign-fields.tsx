// The fields of a campaign, for the steps of a new one and for the settings of an existing one.

import { CAMPAIGN_DEFAULTS } from '../../../../../db/domain/campaign-defaults.ts';
import { WEEKDAYS } from '../../../../../db/domain/hours/weekdays.ts';
import * as LIMITS from '../../api-limits.ts';
import type { Campaign, PhoneNumber } from '../../api-types.ts';
import type { Form } from '../../form.ts';
import { formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { Checkbox, NumberField, Select, TextArea, TextField } from '../../ui/fields/field.tsx';
import { TimeZoneField } from '../../ui/fields/time-zone-field.tsx';
import { Card, Notice } from '../../ui/layout.tsx';
import { Placeholders } from '../../ui/placeholders.tsx';
import { useAll } from '../../use-all.ts';
import { useApi } from '../../use-api.ts';
import { dayNames } from '../../weekdays.ts';
import type { CampaignValues } from './campaign-form.ts';

interface PartProps {
  form: Form<CampaignValues>;
}

export function NumbersField({
  form,
  numbers,
  campaignId,
}: PartProps & { numbers: readonly PhoneNumber[]; campaignId: string | null }) {
  const { values, set, faultOf } = form;
  const campaigns = useAll('listCampaigns').answer ?? [];
  const fault = faultOf('phoneNumberIds', true);
  if (numbers.length === 0)
    return (
      <Notice>
        <span>You have no phone number yet. A campaign can be made without one, and not be started.</span>
        <a href={link('/phone-numbers')}>To the phone numbers</a>
      </Notice>
    );
  return (
    <fieldset class="stack tight" aria-label="Phone numbers">
      {numbers.map(({ id, phoneNumber, campaignId: served, isActive }) => (
        <Checkbox
          key={id}
          label={phoneNumber}
          {...serviceOf(
            isActive,
            served === campaignId ? null : served,
            campaigns.find((campaign) => campaign.id === served && served !== campaignId),
            values.phoneNumberIds.includes(id),
          )}
          value={values.phoneNumberIds.includes(id)}
          onChange={(on) =>
            set(
              'phoneNumberIds',
              on ? [...values.phoneNumberIds, id] : values.phoneNumberIds.filter((each) => each !== id),
            )
          }
        />
      ))}
      {fault !== undefined && (
        <span class="fault" role="alert">
          {fault}
        </span>
      )}
    </fieldset>
  );
}

/** The service of a number that is chosen, and whether it can be. */
function serviceOf(
  isActive: boolean,
  otherId: string | null,
  other: Campaign | undefined,
  isChosen: boolean,
): { hint?: string; disabled?: boolean } {
  // The service refuses to take a number from these.
  if (other?.status === 'RUNNING' || other?.status === 'SCHEDULED') {
    const state = other.status === 'RUNNING' ? 'is running' : 'starts by itself';
    return { hint: `Serves ${other.name}, which ${state}: pause that campaign first.`, disabled: !isChosen };
  }
  if (!isActive) return { hint: 'Inactive: it neither answers nor is shown.' };
  if (otherId === null) return {};
  return { hint: `Serves ${other?.name ?? 'another campaign'} now: choosing it moves it here.` };
}

export function WindowCard({ form }: PartProps) {
  const { values, set, faultOf } = form;
  const { window } = values;
  const change = (part: Partial<CampaignValues['window']>) => set('window', { ...window, ...part });
  const names = dayNames('long');
  const overnight = window.end !== '' && window.start !== '' && window.end < window.start;
  return (
    <Card title="When contacts are called">
      <fieldset class="row" aria-label="Days">
        {WEEKDAYS.map((day) => (
          <Checkbox
            key={day}
            label={names[day]}
            value={window.days.includes(day)}
            onChange={(on) =>
              change({ days: WEEKDAYS.filter((each) => (each === day ? on : window.days.includes(each))) })
            }
          />
        ))}
      </fieldset>
      {faultOf('callingWindow.days', true) !== undefined && (
        <span class="fault" role="alert">
          {faultOf('callingWindow.days', true)}
        </span>
      )}
      <div class="parts two">
        <TextField
          label="From"
          type="time"
          fault={faultOf('callingWindow.start')}
          value={window.start}
          onChange={(start) => change({ start })}
          required
        />
        <TextField
          label="To"
          type="time"
          hint={overnight ? 'Past midnight.' : undefined}
          fault={faultOf('callingWindow.end')}
          value={window.end}
          onChange={(end) => change({ end })}
          required
        />
      </div>
      <TimeZoneField
        hint={window.timezone === '' ? 'Empty: where the called number rings.' : undefined}
        fault={faultOf('callingWindow.timezone')}
        value={window.timezone}
        onChange={(timezone) => change({ timezone })}
        placeholder="Where the number rings"
      />
    </Card>
  );
}

/** @param most that the installation carries; null: unknown */
function callsHint(wanted: number | null, most: number | null): string {
  const ends = `Default ${CAMPAIGN_DEFAULTS.maxConcurrentCalls}`;
  if (most === null) return `Trunk and service have limits of their own. ${ends}`;
  const isMore = (wanted ?? CAMPAIGN_DEFAULTS.maxConcurrentCalls) > most;
  return isMore
    ? `More than this installation carries: ${formatNumber(most)} at a time, of all campaigns and callers. ${ends}`
    : `This installation carries ${formatNumber(most)} at a time, of all campaigns and callers; a trunk may carry less. ${ends}`;
}

export function LimitsCard({ form }: PartProps) {
  const { values, set, field } = form;
  const most = useApi('getOverview', { query: { days: 1 } }).answer?.data.maxCalls ?? null;
  return (
    <Card title="How many, how often">
      <NumberField
        label="Calls at a time"
        hint={callsHint(values.maxConcurrentCalls, most)}
        {...field('maxConcurrentCalls')}
        placeholder={String(CAMPAIGN_DEFAULTS.maxConcurrentCalls)}
        limits={LIMITS.CreateCampaignBody.maxConcurrentCalls}
      />
      <NumberField
        label="Attempts a contact"
        hint={`Busy or no answer is tried again, a wrong number is not. Default ${CAMPAIGN_DEFAULTS.maxAttempts}`}
        {...field('maxAttempts')}
        placeholder={String(CAMPAIGN_DEFAULTS.maxAttempts)}
        limits={LIMITS.CreateCampaignBody.maxAttempts}
      />
      <NumberField
        label="Minutes between attempts"
        hint={`Default ${CAMPAIGN_DEFAULTS.retryDelayMinutes}`}
        {...field('retryDelayMinutes')}
        placeholder={String(CAMPAIGN_DEFAULTS.retryDelayMinutes)}
        limits={LIMITS.CreateCampaignBody.retryDelayMinutes}
      />
      <Checkbox
        label="Record calls"
        value={values.recording.enabled}
        onChange={(enabled) => set('recording', { ...values.recording, enabled })}
      />
      {values.recording.enabled && (
        <Select
          label="Format of recordings"
          hint="MP3 is encoded after the call, and a tenth of the size."
          value={values.recording.format}
          onChange={(format) => set('recording', { ...values.recording, format })}
          choices={[
            { value: 'wav', text: 'WAV' },
            { value: 'mp3', text: 'MP3' },
          ]}
        />
      )}
      <Select
        label="When somebody listens in"
        hint="What the caller hears as the first one begins to listen."
        value={values.listeningNotice}
        onChange={(listeningNotice) => set('listeningNotice', listeningNotice)}
        choices={[
          { value: 'none', text: 'Nothing' },
          { value: 'tone', text: 'A tone' },
          { value: 'announcement', text: 'An announcement' },
        ]}
      />
    </Card>
  );
}

export function TextsCard({ form }: PartProps) {
  const { values, set, faultOf, field } = form;
  const { voicemail } = values;
  return (
    <Card title="What is said">
      <TextArea
        label="Greeting"
        hint="Said first, in place of the business's. Empty: the business's."
        {...field('greetingTemplate')}
        placeholder="Hello {{firstName}}, this is {{agentName}} from {{businessName}}."
        rows={2}
        limits={LIMITS.CreateCampaignBody.greetingTemplate}
      />
      <TextArea
        label="Instructions"
        hint="Why it calls. Added to the business's prompt; the built-in receptionist ignores it."
        {...field('instructions')}
        placeholder="Remind {{firstName}} of the check-up that is due by {{dueDate}}, and offer to book it."
        limits={LIMITS.CreateCampaignBody.instructions}
      />
      <Placeholders />
      <Select
        label="When an answering machine picks up"
        value={voicemail.action}
        onChange={(action) => set('voicemail', { ...voicemail, action })}
        choices={[
          { value: 'hangup', text: 'Hang up' },
          { value: 'leave_message', text: 'Leave a message after the beep' },
        ]}
      />
      {voicemail.action === 'leave_message' && (
        <TextArea
          label="Message"
          fault={faultOf('voicemail.message')}
          value={voicemail.message}
          onChange={(message) => set('voicemail', { ...voicemail, message })}
          placeholder="Your check-up is due by {{dueDate}}. Please call us back."
          rows={2}
          limits={LIMITS.CreateCampaignBody.voicemail.message}
        />
      )}
    </Card>
  );
}
