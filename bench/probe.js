// Loaded into every measured server (`node --import`): answers its parent with CPU time and memory. Plain JavaScript, so
// that the process does not load a compiler.
const answers = {
  cpu() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
  memory: () => process.memoryUsage(),
}

process.on('message', (question) => {
  if (question in answers) process.send?.({ answer: answers[question]() })
})
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM')) // the bench was killed
process.channel?.unref()
