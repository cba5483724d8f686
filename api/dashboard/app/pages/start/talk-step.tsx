// The fourth step: the agent is heard, in a call from this browser.
import { TalkPanel } from '../../talk/talk-panel.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/layout.tsx';

interface TalkStepProps {
  campaignId: string;
  onDone: () => void;
  onSkip: () => void;
}

export function TalkStep({ campaignId, onDone, onSkip }: TalkStepProps) {
  return (
    <Card title="Talk to it">
      <p class="soft">Ask when you are open, what something costs, or for an appointment. Interrupt it.</p>
      <TalkPanel campaignId={campaignId} />
      <div class="row">
        <Button onClick={onDone}>It is good so</Button>
        <Button look="plain" onClick={onSkip}>
          Skip for now
        </Button>
      </div>
    </Card>
  );
}
