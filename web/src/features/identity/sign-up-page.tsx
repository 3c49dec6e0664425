import { AuthPage } from './components/auth-page.js';

export default function SignUpPage(): React.ReactNode {
  return <AuthPage kind="sign-up" title="Sign up" />;
}
