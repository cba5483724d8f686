// One call: while it runs, the live transcript; afterwards the recording, the transcript and the timeline.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Call } from '../../api-types.ts';
import { EndCallButton } from '../../calls/end-call.tsx';
import { Player } from '../../calls/player.ts';
import { listenToKeys } from '../../calls/player-keys.ts';
import { callTitle } from '../../calls/words.ts';
import { call } from '../../client.ts';
import { formatDateTime } from '../../format.ts';
import type { PageProps } from '../../page-props.ts';
import { link } from '../../router.ts';
import { TalkButton } from '../../talk/talk-button.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { Notice, Page } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { CallCost } from './call-cost.tsx';
import { CallEvents } from './call-events.tsx';
import { CallAppointments, CallDetails, CallFacts } from './call-facts.tsx';
import { CallResults } from './call-results.tsx';
import { CallTranscript } from './call-transcript.tsx';
import { KeepAsTest } from './keep-as-test.tsx';
import { LiveCall } from './live-call.tsx';
import { Recording } from './recording.tsx';
import { ScheduledCall } from './scheduled-call.tsx';
import { TurnTimeline } from './turn-timeline.tsx';

const back = () => ({ href: link('/calls'), text: t('Calls') });

const REFRESH_MS = 5_000;
/** The gaps are measured in the recording within seconds after the call's end. */
const SETTLES_MS = 20_000;

export default function CallPage({ params }: PageProps) {
  const [isSettled, setSettled] = useState(false);
  const record = useApi('getCall', { params: { id: params.id ?? '' } }, isSettled ? {} : { everyMs: REFRESH_MS });
  const shown = record.answer?.data;
  useEffect(() => {
    if (shown !== undefined) setSettled(shown.endedAt !== null && Date.now() - Date.parse(shown.endedAt) > SETTLES_MS);
  }, [shown]);
  if (record.answer === null) {
    return (
      <Page title={t('Call')} back={back()}>
        <Answer of={record}>{() => null}</Answer>
      </Page>
    );
  }
  return <CallView call={record.answer.data} reload={record.reload} />;
}

function CallView({ call: shown, reload }: { call: Call; reload: () => void }) {
  const [player] = useState(() => new Player());
  const conversation = useRef<HTMLDivElement>(null);
  const isRunning = shown.endedAt === null;
  const { transcript } = shown;
  useEffect(() => {
    if (conversation.current === null) return;
    return listenToKeys(
      player,
      conversation.current,
      transcript.map(({ timestamp }) => timestamp),
    );
  }, [player, transcript, isRunning]);
  return (
    <Page
      title={callTitle(shown)}
      back={back()}
      lead={<Time at={shown.startedAt} />}
      actions={<Actions call={shown} reload={reload} />}
    >
      {shown.erasedAt !== null && (
        <Notice>
          {t('Recording, words, names and numbers were erased on {time}.', { time: formatDateTime(shown.erasedAt) })}
        </Notice>
      )}
      <div class="call">
        <div class="stack">
          {shown.status === 'SCHEDULED' ? (
            <ScheduledCall call={shown} />
          ) : isRunning ? (
            <LiveCall call={shown} onEnded={reload} />
          ) : (
            <>
              <div class="stack" ref={conversation}>
                <Recording call={shown} player={player} />
                <CallTranscript call={shown} player={player} reload={reload} />
              </div>
              <TurnTimeline call={shown} player={player} />
            </>
          )}
        </div>
        <div class="stack">
          <CallFacts call={shown} />
          <CallResults call={shown} />
          <CallAppointments call={shown} />
          <CallCost call={shown} />
          <CallDetails call={shown} />
          <CallEvents callId={shown.id} isRunning={isRunning} key={String(isRunning)} />
        </div>
      </div>
    </Page>
  );
}

function Actions({ call: shown, reload }: { call: Call; reload: () => void }) {
  if (shown.endedAt === null) return <EndCallButton call={shown} onEnded={reload} />;
  const number = shown.direction === 'inbound' ? shown.fromNumber : shown.toNumber;
  return (
    <>
      {number.startsWith('+') ? (
        <ButtonLink href={link('/calls/new', { campaignId: shown.campaignId, to: number })}>
          {t('Call again')}
        </ButtonLink>
      ) : (
        <TalkButton campaignId={shown.campaignId} label={t('Talk again')} />
      )}
      {shown.erasedAt === null && shown.durationSeconds > 0 && <KeepAsTest call={shown} />}
      {shown.erasedAt === null && (
        <Button look="danger" onClick={() => askToErase(shown, reload)}>
          {t('Erase')}
        </Button>
      )}
    </>
  );
}

function askToErase(shown: Call, reload: () => void): void {
  confirm({
    title: t('Erase the {title}?', { title: callTitle(shown, { inSentence: true }) }),
    text: t(
      'Recording, transcript, summary, names, numbers, variables and metadata are gone afterwards, also from the log of webhooks. Times, duration and result remain. It cannot be undone.',
    ),
    action: t('Erase the call'),
    perform: async () => {
      await call('eraseCall', { params: { id: shown.id } });
      say(t('The call has been erased'));
      reload();
    },
  });
}
