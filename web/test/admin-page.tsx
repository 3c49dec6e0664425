import { AdminLayout } from '../src/features/admin/shell/admin-layout.js';
import { type Answers, fakeServer, type FakeServer, pass, renderPage } from './page.js';

/** Opens a page in the frame of the admin area. No application and no report waits, unless the answers say so. */
export async function openAdminPage(
  page: React.ReactNode,
  address: string,
  answers: Answers,
  pattern?: string,
): Promise<{ readonly server: FakeServer; readonly router: Awaited<ReturnType<typeof renderPage>> }> {
  const server = fakeServer({ get_admin_counts: { applications: 0, reports: 0, urgent: 0 }, ...answers });
  const frame = (
    <AdminLayout otherAreas={[]} account={null}>
      {page}
    </AdminLayout>
  );
  const router = await renderPage(frame, address, pattern);
  await pass(1000);
  return { server, router };
}
