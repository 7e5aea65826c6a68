import { expect, it } from 'vitest'
import { maskedCommand, maskedScript } from './masked-command'

it.each([
  ['train.py hold 8 --api-key=XXXX', 'train.py hold 8 --api-key=•••'],
  ['serve --api-key XXXX --port 80', 'serve --api-key ••• --port 80'],
  ['env HF_TOKEN=abc python3 a.py', 'env HF_TOKEN=••• python3 a.py'],
  ["run --password 'two words' x", 'run --password ••• x'],
  ['psql postgres://me:hunter2@db/x', 'psql postgres://me:•••@db/x'],
  ['a.py hf_abcdefghijklmnop', 'a.py •••'],
  ['a.py sk-proj-abcdefghijklmnopqrstu', 'a.py •••'],
  ['curl -H Authorization: Bearer x y', 'curl -H Authorization: Bearer ••• y'],
  ['serve --authorization Bearer x y', 'serve --authorization Bearer ••• y'],
  ['X_AUTHORIZATION_TOKEN=abc a.py', 'X_AUTHORIZATION_TOKEN=••• a.py'],
  ['DB_PASS=abc MYSQL_PWD=abc a.py --pass x', 'DB_PASS=••• MYSQL_PWD=••• a.py --pass •••'],
  ['a.py --hf_key abc --private-key=x', 'a.py --hf_key ••• --private-key=•••'],
  ['sshpass -p hunter2 ssh x', 'sshpass -p ••• ssh x'],
  ['curl -u me:hunter2 x', 'curl -u me:••• x'],
  ['a.py nvapi-abcdefghijklmnopqrst glpat-abcdefghijklmnopqrst', 'a.py ••• •••'],
  ['a.py --passes 3 --author Ann --sort-key t', 'a.py --passes 3 --author Ann --sort-key t'],
  ['vllm serve m --max-tokens 512 --tokenizer t', 'vllm serve m --max-tokens 512 --tokenizer t'],
  ['a.py --token-file /run/secrets', 'a.py --token-file /run/secrets'],
  ['python3 train.py --lr 3e-4', 'python3 train.py --lr 3e-4'],
  [`docker run -e "HF_TOKEN=abc" -e 'A_TOKEN=b c' x`, `docker run -e "HF_TOKEN=•••" -e 'A_TOKEN=•••' x`],
  ['docker run --env=HF_TOKEN=abc x', 'docker run --env=HF_TOKEN=••• x'],
  ['curl -H "X-Api-Key: abc" https://x', 'curl -H "X-Api-Key: •••" https://x'],
  ['curl https://x/?a=1&token=abc&b=2', 'curl https://x/?a=1&token=•••&b=2'],
  ['{"user": "joe", "password": "a\\"b", "port": 1}', '{"user": "joe", "password": •••, "port": 1}'],
  ["{'api_key':'abc'}", "{'api_key':•••}"],
  ['  password: abc', '  password: •••'],
  ['a;TOKEN="abc"def b', 'a;TOKEN=••• b'],
  ['echo "joe:pw" | sudo chpasswd', 'echo "joe:•••" | sudo chpasswd'],
  ["chpasswd <<< 'joe:pw'", "chpasswd <<< 'joe:•••'"],
  ['git clone https://token@host/x', 'git clone https://•••@host/x'],
  ['git clone https://token:x-oauth-basic@host/x', 'git clone https://•••:•••@host/x'],
  ['psql postgres://me:p@ss@db/x', 'psql postgres://me:•••@db/x'],
  ['ssh://git@host/x', 'ssh://git@host/x'],
  ['SetEnv=WANDB_API_KEY=abc SetEnv=LANG=C', 'SetEnv=WANDB_API_KEY=••• SetEnv=LANG=C'],
  ['GIT_AUTHOR_NAME=Ada a.py --authors=x', 'GIT_AUTHOR_NAME=Ada a.py --authors=x'],
  ['echo "a: b" | tee x', 'echo "a: b" | tee x'],
  ['a.py --json {"max_tokens":512}', 'a.py --json {"max_tokens":512}'],
])('a command shows no secrets: %s', (command, masked) => {
  expect(maskedCommand(command)).toBe(masked)
})

it('a script shows no private key, and its other lines stay where they are', () => {
  const script = [
    'cat > key <<EOF',
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    'b3BlbnNzaC1rZXktdjEA',
    '-----END OPENSSH PRIVATE KEY-----',
    'EOF',
    'echo done',
  ].join('\n')
  expect(maskedScript(script)).toBe('cat > key <<EOF\n•••\n\n\nEOF\necho done')
  const cut = script.split('\n').slice(0, 3).join('\n')
  expect(maskedScript(cut)).toBe('cat > key <<EOF\n•••\n')
  const json = String.raw`{"key": "-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\n"}`
  expect(maskedScript(json)).not.toContain('MII')
})

it('a script shows no passwords in the input of chpasswd', () => {
  expect(maskedScript("chpasswd <<'EOF'\njoe:pw\nada:p w\nEOF\necho a:b")).toBe(
    "chpasswd <<'EOF'\njoe:•••\nada:•••\nEOF\necho a:b",
  )
  expect(maskedScript('cat <<-A | sudo chpasswd -c SHA512\n\tjoe:pw\n\tA\n')).toBe(
    'cat <<-A | sudo chpasswd -c SHA512\n\tjoe:•••\n\tA\n',
  )
})

it('masked text stays as it is', () => {
  for (const text of ['TOKEN=•••', 'https://•••@host', '"password": •••', 'echo "joe:•••" | chpasswd'])
    expect(maskedScript(text)).toBe(text)
})
