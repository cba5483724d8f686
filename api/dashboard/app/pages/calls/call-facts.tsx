// The facts of a call: parties, times, end and summary.
import type { ComponentChildren } from 'preact';
import type { Operations } from '../../api-operations.ts';
import type { Call } from '../../api-types.ts';
import { AppointmentTime } from '../../appointments/appointment-time.tsx';
import { adviceOf } from '../../calls/advice.ts';
import { CallStatus } from '../../calls/call-status.tsx';
import { summaryWords, tagWords } from '../../calls/summary-words.ts';
import { causeWords, endWords, sipWords } from '../../calls/words.ts';
import { formatDuration, formatLanguage, formatNumber, formatWord } from '../../format.ts';
import { link, personLink } from '../../router.ts';
import { Badge, Card, Facts } from '../../ui/layout.tsx';
import { Time } from '../../ui/time.tsx';
import { useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';

const MODELS = {
  stt: words('Recogniser'),
  tts: words('Voice'),
  llm: words('Language model'),
  'speech-to-speech': words('Speech-to-speech model'),
};

interface NamedProps {
  of: 'getCampaign' | 'getAgent' | 'getBusiness';
  path: string;
  id: string;
  /** By which the call was led. */
  version?: number | null;
}

function Named({ of, path, id, version = null }: NamedProps) {
  const { answer } = useApi<'getCampaign' | 'getAgent' | 'getBusiness'>(of, { params: { id } });
  const record: Operations['getAgent']['answer']['data'] | { name: string } | undefined = answer?.data;
  return (
    <>
      <a href={link(`${path}/${id}`)}>{record?.name ?? id}</a>
      {version !== null && <span class="soft">{t(', version {version}', { version })}</span>}
    </>
  );
}

function numberText(number: string): string {
  if (number === '') return t('withheld or erased');
  return number === 'web' ? t('Browser') : number;
}

/** The other side's: the page of the person. */
const Other = ({ number }: { number: string }) =>
  number.startsWith('+') ? <a href={personLink(number)}>{number}</a> : numberText(number);

export function CallFacts({ call }: { call: Call }) {
  const { callerName, fromNumber, toNumber, sipStatus, q850Cause, endReason } = call;
  const isInbound = call.direction === 'inbound';
  return (
    <Card title={t('Call')}>
      <Facts
        facts={[
          [t('Result'), <CallStatus call={call} key="status" />],
          [t('Why it ended'), endReason === null ? null : endWords(call)],
          [t('What to do'), adviceOf(call)],
          [t('Direction'), isInbound ? t('Inbound') : t('Outbound')],
          [t('Caller'), isInbound ? <Other key="from" number={fromNumber} /> : numberText(fromNumber)],
          [t('Called'), isInbound ? numberText(toNumber) : <Other key="to" number={toNumber} />],
          [t('Name'), callerName],
          [t('Began'), <Time at={call.startedAt} key="began" />],
          [t('Ended'), call.endedAt === null ? null : <Time at={call.endedAt} key="ended" />],
          [t('Duration'), call.endedAt === null ? null : formatDuration(call.durationSeconds)],
          [t('Languages'), call.languages.length < 2 ? null : call.languages.map(formatLanguage).join(' → ')],
          [t('Waits'), call.waits === null ? null : waitsText(call.waits)],
          [t('Network'), sipStatus === null ? null : sipWords(sipStatus)],
          [t('Network’s cause'), q850Cause === null ? null : causeWords(q850Cause)],
          [t('Campaign'), <Named key="campaign" of="getCampaign" path="/campaigns" id={call.campaignId} />],
          [
            t('Agent'),
            <Named key="agent" of="getAgent" path="/agents" id={call.agentId} version={call.agentVersion} />,
          ],
          [
            t('Business'),
            <Named
              key="business"
              of="getBusiness"
              path="/businesses"
              id={call.businessId}
              version={call.businessVersion}
            />,
          ],
          [t('Sentiment'), call.sentiment === null ? null : t(formatWord(call.sentiment))],
          [t('Summary'), summaryWords(call)],
          [t('Tags'), call.tags.length === 0 ? null : <Tags key="tags" tags={call.tags} />],
        ]}
      />
    </Card>
  );
}

/** Words such as "Let me see" and apologies, which are no answers. */
function waitsText({ count, longestMs }: NonNullable<Call['waits']>): string {
  const seconds = formatNumber(Math.round(longestMs / 100) / 10);
  return count === 1
    ? t('Once before an answer, at most {seconds} s', { seconds })
    : t('{count} times before an answer, at most {seconds} s', { count: formatNumber(count), seconds });
}

const Tags = ({ tags }: { tags: readonly string[] }) => (
  <span class="row">
    {tags.map((tag) => (
      <Badge key={tag}>{tagWords(tag)}</Badge>
    ))}
  </span>
);

/** The client's data of the call, and the usage of its models; empty ones are not shown. */
export function CallDetails({ call }: { call: Call }) {
  const { usage, fallbacks, variables, metadata } = call;
  const counts: Array<[string, ComponentChildren]> = [];
  if (usage !== null) {
    const count = (value: number | null) => (value === null ? null : formatNumber(value));
    counts.push(
      [t('Requests to the model'), formatNumber(usage.requests)],
      [t('Prompt tokens'), count(usage.promptTokens)],
      [t('Of these from the cache'), count(usage.cachedTokens)],
      [t('Tokens of replies'), count(usage.completionTokens)],
      [t('Requests to the second model'), usage.fallbackRequests === 0 ? null : formatNumber(usage.fallbackRequests)],
      [t('Replies never spoken'), usage.discardedRequests === 0 ? null : formatNumber(usage.discardedRequests)],
    );
  }
  for (const fallback of fallbacks) {
    const why = fallback.reason === undefined ? '' : ` (${fallback.reason})`;
    const name = `${t(MODELS[fallback.model])} ${fallback.from}`;
    counts.push([`${t('{name} failed', { name })}${why}`, tookOver(fallback)]);
  }
  return (
    <>
      <Texts title={t('Variables')} texts={variables} />
      <Texts title={t('Metadata')} texts={metadata} />
      {counts.length > 0 && (
        <Card title={t('Models')}>
          <Facts facts={counts} />
        </Card>
      )}
    </>
  );
}

function tookOver({ model, to, count }: Call['fallbacks'][number]): string {
  if (model === 'speech-to-speech') return t('Recogniser, language model and voice went on');
  const times = count === 1 ? t('once') : t('{count} times', { count: formatNumber(count) });
  return model === 'llm' && to === 'message'
    ? t('Nobody answered, {times}', { times })
    : t('{name} took over {times}', { name: to, times });
}

function Texts({ title, texts }: { title: string; texts: Record<string, string> }) {
  const entries = Object.entries(texts);
  if (entries.length === 0) return null;
  return (
    <Card title={title}>
      <Facts facts={entries} />
    </Card>
  );
}

export function CallAppointments({ call }: { call: Call }) {
  const hasAny = call.appointments.length > 0;
  const business = useApi('getBusiness', hasAny ? { params: { id: call.businessId } } : null);
  if (!hasAny) return null;
  return (
    <Card title={t('Appointments')}>
      {call.appointments.map(({ id, service, startsAt, endsAt, name, phone, notes, status }) => (
        <Facts
          key={id}
          facts={[
            [
              t('When'),
              <AppointmentTime
                key="when"
                startsAt={startsAt}
                endsAt={endsAt}
                zone={business.answer?.data.timezone ?? null}
              />,
            ],
            [t('What'), service],
            [t('Name'), name],
            [t('Phone'), phone],
            [t('Notes'), notes],
            [t('Status'), status === 'booked' ? t('Booked') : t('Cancelled')],
          ]}
        />
      ))}
    </Card>
  );
}
