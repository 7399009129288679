import { CodeXml } from 'lucide-react';
import { Link } from 'react-router-dom';
import { buttonClasses, PageHeader, Tabs, TabsContent, TabsList, TabsTrigger } from '@/shared/ui';
import { CodeExamples } from './code-examples';
import { DemoGuide } from './demo-guide';
import { TestFlow } from './test-flow';

/** The OAuth demo: the flow by hand, against this very server (rule oauth-20). */
export function DemoPage() {
  return (
    <>
      <PageHeader
        title="OAuth Demo"
        description="Sign-in with Nova, step by step, against this server."
        backTo="/developer"
        backLabel="Back to the Developer Portal"
        actions={
          <Link to="/developer" className={buttonClasses()}>
            <CodeXml aria-hidden="true" className="size-4" />
            Developer Portal
          </Link>
        }
      />
      <Tabs defaultValue="flow">
        <TabsList aria-label="Parts of the demo">
          <TabsTrigger value="flow">Test OAuth Flow</TabsTrigger>
          <TabsTrigger value="guide">Integration Guide</TabsTrigger>
          <TabsTrigger value="code">Code Examples</TabsTrigger>
        </TabsList>
        {/* What was typed stays while one looks at the other tabs. */}
        <TabsContent value="flow" forceMount className="data-[state=inactive]:hidden">
          <TestFlow />
        </TabsContent>
        <TabsContent value="guide">
          <DemoGuide />
        </TabsContent>
        <TabsContent value="code">
          <CodeExamples />
        </TabsContent>
      </Tabs>
    </>
  );
}
