import { Outlet } from '@tanstack/react-router';
import { AppShell } from '../features/shell/components/app-shell.js';
import { UploadsProvider } from '../features/uploads/components/uploads-provider.js';
import { UploadTray } from '../features/uploads/components/upload-tray.js';

/** Uploads go on while the user looks at other pages. */
export function RootLayout() {
  return (
    <UploadsProvider>
      <AppShell>
        <Outlet />
      </AppShell>
      <UploadTray />
    </UploadsProvider>
  );
}
