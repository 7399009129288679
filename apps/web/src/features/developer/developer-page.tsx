import { FlaskConical, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Button, buttonClasses, PageHeader, Tabs, TabsContent, TabsList, TabsTrigger } from '@/shared/ui';
import { CreateApplication } from './applications/create-application';
import { MyApplications } from './applications/my-applications';
import { AuthorizedApplications } from './authorized/authorized-applications';
import { BestPractices } from './best-practices';
import { DEVELOPER_TABS, useDeveloperTab } from './developer-tabs';
import { ApiDocumentation } from './docs/api-documentation';
import { IntegrationGuide } from './docs/integration-guide';

/** On a phone the row of tabs scrolls: the one that is shown is in sight. */
const showInRow = (trigger: HTMLElement | null) => trigger?.scrollIntoView({ block: 'nearest', inline: 'center' });

/** The Developer Portal (rule oauth-6). */
export function DeveloperPage() {
  const [tab, show] = useDeveloperTab();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <PageHeader
        title="Developer Portal"
        description="Applications that sign members in with Nova, and act for them."
        backTo="/"
        backLabel="Back to discovery"
        actions={
          <>
            <Link to="/oauth/demo" className={buttonClasses()}>
              <FlaskConical aria-hidden="true" className="size-4" />
              OAuth Demo
            </Link>
            <Button
              variant="primary"
              icon={<Plus aria-hidden="true" className="size-4" />}
              onClick={() => setCreating(true)}
            >
              Create Application
            </Button>
          </>
        }
      />
      <Tabs value={tab} onValueChange={show}>
        <TabsList aria-label="Parts of the Developer Portal">
          {DEVELOPER_TABS.map(({ name, label }) => (
            <TabsTrigger key={name} value={name} ref={name === tab ? showInRow : undefined}>
              {label}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="applications">
          <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
            <MyApplications onCreate={() => setCreating(true)} />
            <BestPractices />
          </div>
        </TabsContent>
        <TabsContent value="authorized">
          <AuthorizedApplications />
        </TabsContent>
        <TabsContent value="api">
          <ApiDocumentation />
        </TabsContent>
        <TabsContent value="guide">
          <IntegrationGuide />
        </TabsContent>
      </Tabs>
      <CreateApplication open={isCreating} onOpenChange={setCreating} />
    </>
  );
}
