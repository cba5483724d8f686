// The page on which a user talks to an agent from the browser.
import { link, route, setQuery } from '../../router.ts';
import { TalkPanel } from '../../talk/talk-panel.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Select } from '../../ui/fields/field.tsx';
import { Card, Empty, Page } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { useAll } from '../../use-all.ts';
import { t } from '../../words/words.ts';

export default function TalkPage() {
  const campaigns = useAll('listCampaigns');
  const wanted = route.value.query.get('campaignId');
  return (
    <Page
      title={t('Talk to an agent')}
      lead={t('A call from this browser, answered as a phone call to the campaign would be.')}
      actions={<ButtonLink href={link('/messages')}>{t('Try it by text')}</ButtonLink>}
    >
      <Answer of={campaigns}>
        {(data) => {
          const chosen = data.find(({ id }) => id === wanted) ?? data[0];
          if (chosen === undefined) {
            return (
              <Empty
                title={t('No campaigns yet')}
                action={
                  <ButtonLink look="primary" href={link('/campaigns/new')}>
                    {t('New campaign')}
                  </ButtonLink>
                }
              >
                {t('A campaign says which agent speaks, and for which business. Make one, then talk to it here.')}
              </Empty>
            );
          }
          return (
            <Card>
              <Select
                label={t('Campaign')}
                value={chosen.id}
                onChange={(campaignId) => setQuery({ campaignId })}
                choices={data.map(({ id, name }) => ({ value: id, text: name }))}
              />
              <TalkPanel campaignId={chosen.id} key={chosen.id} />
            </Card>
          );
        }}
      </Answer>
    </Page>
  );
}
