import { AuthPage } from './auth-page.js';

export default function SignInPage(): React.ReactNode {
  return <AuthPage kind="sign-in" title="Sign in" />;
}
