// The fourth step: the agent is heard, in a call from this browser.

import { formatLanguage } from '../../format.ts';
import { link } from '../../router.ts';
import { session } from '../../session.ts';
import { TalkPanel } from '../../talk/talk-panel.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Notice } from '../../ui/layout.tsx';
import { useApi } from '../../use-api.ts';
import { Linked } from '../../words/linked.tsx';
import { t } from '../../words/words.ts';
import { baseOf } from './languages.ts';

interface TalkStepProps {
  language: string;
  campaignId: string;
  onDone: () => void;
  onSkip: () => void;
}

export function TalkStep({ language, campaignId, onDone, onSkip }: TalkStepProps) {
  return (
    <Card title={t('Talk to it')}>
      <p class="soft">{t('Ask when you are open, what something costs, or for an appointment. Interrupt it.')}</p>
      {session.value?.user.role === 'ADMIN' && baseOf(language) !== 'en' && <KeysNotice language={language} />}
      <TalkPanel campaignId={campaignId} />
      <div class="row">
        <Button onClick={onDone}>{t('It is good so')}</Button>
        <Button look="plain" onClick={onSkip}>
          {t('Skip for now')}
        </Button>
      </div>
    </Card>
  );
}

/** The built-in receptionist converses in English only. */
function KeysNotice({ language }: { language: string }) {
  const settings = useApi('getModelSettings', {}).answer?.data;
  if (settings?.llm.running !== 'receptionist') return null;
  return (
    <Notice tone="warn">
      <span>
        <Linked
          text={t(
            'In {language} callers press keys so far, as 1 for the opening hours. To talk freely with them, the agent needs two programs: one that understands the language, and one that thinks of answers. Both are added under [Models].',
            { language: formatLanguage(language) },
          )}
          to={[link('/admin/models')]}
        />
      </span>
    </Notice>
  );
}
