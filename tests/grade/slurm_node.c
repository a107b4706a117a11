#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "slurm_node.h"

#include "../command.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    START_SECONDS = 60,
    END_SECONDS = 20,
    KEY_BYTES = 128
};

/* Works where there is no cgroup to be had and nobody to account to. The memory
   is more than a task of the grader asks for, whatever the machine has. */
static const char configuration[] =
    "ClusterName=course\n"
    "SlurmctldHost=%s(127.0.0.1)\n"
    "SlurmctldPort=%d\n"
    "SlurmdPort=%d\n"
    "SlurmUser=%s\n"
    "SlurmdUser=%s\n"
    "AuthType=auth/munge\n"
    "AuthInfo=socket=%s/munge.socket\n"
    "CommunicationParameters=NoInAddrAny,NoCtldInAddrAny\n"
    "StateSaveLocation=%s/state\n"
    "SlurmdSpoolDir=%s/spool\n"
    "SlurmctldPidFile=%s/slurmctld.pid\n"
    "SlurmdPidFile=%s/slurmd.pid\n"
    "SlurmdParameters=config_overrides\n"
    "ProctrackType=proctrack/linuxproc\n"
    "TaskPlugin=task/none\n"
    "JobAcctGatherType=jobacct_gather/none\n"
    "SwitchType=switch/none\n"
    "MpiDefault=none\n"
    "AccountingStorageType=accounting_storage/none\n"
    "SelectType=select/cons_tres\n"
    "SelectTypeParameters=CR_CPU\n"
    "SchedulerParameters=sched_interval=1,sched_min_interval=0\n"
    "ReturnToService=2\n"
    "NodeName=localhost NodeHostname=%s NodeAddr=127.0.0.1 CPUs=%ld "
    "RealMemory=8192\n"
    "PartitionName=course Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n";

static void pause_briefly(void)
{
    const struct timespec pause = {.tv_nsec = 200000000};

    nanosleep(&pause, NULL);
}

/* Does the command end well? */
static int works(const char *line)
{
    struct command c = command_run("%s", line);
    const int code = c.code;

    command_free(&c);
    return code == 0;
}

const char *slurm_node_lacks(void)
{
    static const char *const needed[] = {"sbatch", "slurmctld", "slurmd",
                                         "munged"};
    char line[100];

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        snprintf(line, sizeof line, "PATH=$PATH:/usr/sbin command -v %s",
                 needed[i]);
        if (!works(line))
            return needed[i];
    }
    return NULL;
}

/* --- its folder ----------------------------------------------------------------- */

/* A port of 127.0.0.1 that nobody uses; 0: there is none. */
static int free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int port = 0;

    if (s >= 0 && bind(s, (struct sockaddr *)&address, length) == 0 &&
        getsockname(s, (struct sockaddr *)&address, &length) == 0)
        port = ntohs(address.sin_port);
    if (s >= 0)
        close(s);
    return port;
}

static int make_folder(const struct slurm_node *node, const char *name)
{
    char path[300];

    snprintf(path, sizeof path, "%s/%s", node->path, name);
    return mkdir(path, 0700);
}

/* A file that only its owner reads. Returns 0 or -1. */
static int write_file(const struct slurm_node *node, const char *name,
                      const void *bytes, size_t size)
{
    char path[300];
    int file, failed;

    snprintf(path, sizeof path, "%s/%s", node->path, name);
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    failed = file < 0 || write(file, bytes, size) != (ssize_t)size;
    if (file >= 0)
        close(file);
    return failed ? -1 : 0;
}

static int configure(const struct slurm_node *node)
{
    const struct passwd *const user = getpwuid(geteuid());
    const char *const p = node->path;
    char host[256] = "", text[4000], path[300];
    unsigned char key[KEY_BYTES];
    int length;

    if (user == NULL || gethostname(host, sizeof host - 1) != 0)
        return -1;
    host[strcspn(host, ".")] = '\0';
    length = snprintf(text, sizeof text, configuration, host, free_port(),
                      free_port(), user->pw_name, user->pw_name, p, p, p, p, p,
                      host, sysconf(_SC_NPROCESSORS_ONLN));
    snprintf(path, sizeof path, "%s/slurm.conf", p);
    /* munge wants its socket where others could reach it. */
    return mkdir(p, 0711) != 0 || chmod(p, 0711) != 0 ||
                   make_folder(node, "state") != 0 ||
                   make_folder(node, "spool") != 0 ||
                   make_folder(node, "log") != 0 ||
                   getrandom(key, sizeof key, 0) != KEY_BYTES ||
                   write_file(node, "munge.key", key, sizeof key) != 0 ||
                   write_file(node, "slurm.conf", text, (size_t)length) != 0 ||
                   setenv("SLURM_CONF", path, 1) != 0
               ? -1
               : 0;
}

/* --- its daemons ---------------------------------------------------------------- */

static const char *const daemon_name[] = {"munged", "slurmctld", "slurmd"};

/* In the child: becomes the daemon. */
static void become(const struct slurm_node *node, enum slurm_daemon daemon,
                   pid_t test)
{
    char path[4096], log[300], key[300], socket[300], pid[300], seed[300],
        said[300];
    const char *const given = getenv("PATH");
    const int none = open("/dev/null", O_RDWR);
    int file;

    snprintf(path, sizeof path, "%.4000s:/usr/sbin",
             given != NULL ? given : "/usr/bin");
    setenv("PATH", path, 1);
    snprintf(log, sizeof log, "%s/log/%s", node->path, daemon_name[daemon]);
    file = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != test ||
        dup2(none, 0) < 0 || dup2(file, 1) < 0 || dup2(file, 2) < 0)
        _exit(126);
    if (daemon != SLURM_MUNGED) {
        execlp(daemon_name[daemon], daemon_name[daemon], "-D", (char *)NULL);
        _exit(127);
    }
    snprintf(key, sizeof key, "--key-file=%s/munge.key", node->path);
    snprintf(socket, sizeof socket, "--socket=%s/munge.socket", node->path);
    snprintf(pid, sizeof pid, "--pid-file=%s/munged.pid", node->path);
    snprintf(seed, sizeof seed, "--seed-file=%s/munge.seed", node->path);
    snprintf(said, sizeof said, "--log-file=%s/log/munged.log", node->path);
    execlp("munged", "munged", "--foreground", key, socket, pid, seed, said,
           (char *)NULL);
    _exit(127);
}

int slurm_node_again(struct slurm_node *node, enum slurm_daemon daemon)
{
    const pid_t test = getpid();

    fflush(NULL);
    node->daemon[daemon] = fork();
    if (node->daemon[daemon] == 0)
        become(node, daemon, test);
    return node->daemon[daemon] > 0 ? 0 : -1;
}

void slurm_node_kill(struct slurm_node *node, enum slurm_daemon daemon)
{
    if (node->daemon[daemon] <= 0)
        return;
    kill(node->daemon[daemon], SIGKILL);
    waitpid(node->daemon[daemon], NULL, 0);
    node->daemon[daemon] = 0;
}

int slurm_node_resume(void)
{
    struct command c = command_run("sinfo --noheader --format=%%t");
    const int ready = c.code == 0 && (strncmp(c.text, "idle\n", 5) == 0 ||
                                      strncmp(c.text, "mix\n", 4) == 0 ||
                                      strncmp(c.text, "alloc\n", 6) == 0);
    const int drained = c.code == 0 && (strstr(c.text, "dr") != NULL ||
                                        strstr(c.text, "down") != NULL);

    command_free(&c);
    if (drained)
        works("scontrol update nodename=localhost state=resume");
    return ready;
}

static int show_logs(const struct slurm_node *node)
{
    struct command c = command_run("tail -n 5 '%s'/log/*", node->path);

    printf("# this Slurm does not start:\n%s", c.text);
    command_free(&c);
    return -1;
}

int slurm_node_start(struct slurm_node *node, const char *path)
{
    char socket[300];

    *node = (struct slurm_node){.daemon = {0}};
    snprintf(node->path, sizeof node->path, "%s", path);
    snprintf(socket, sizeof socket, "%s/munge.socket", path);
    if (configure(node) != 0 || slurm_node_again(node, SLURM_MUNGED) != 0)
        return -1;
    for (int i = 0; i < START_SECONDS * 5 && access(socket, F_OK) != 0; i++)
        pause_briefly();
    if (slurm_node_again(node, SLURM_CONTROLLER) != 0 ||
        slurm_node_again(node, SLURM_NODE) != 0)
        return -1;
    for (int i = 0; i < START_SECONDS; i++) {
        pause_briefly();
        if (slurm_node_resume())
            return 0;
    }
    return show_logs(node);
}

/* Ends every process that has come to this one: tasks whose slurmd was killed.
   The test must be what takes orphans in (PR_SET_CHILD_SUBREAPER). */
static void end_orphans(void)
{
    char path[60];
    int child, found;

    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    do {
        FILE *const file = fopen(path, "r");

        found = 0;
        while (file != NULL && fscanf(file, "%d", &child) == 1) {
            kill(child, SIGKILL);
            found = 1;
        }
        if (file != NULL)
            fclose(file);
        while (waitpid(-1, NULL, found ? 0 : WNOHANG) > 0)
            ;
    } while (found);
}

void slurm_node_stop(struct slurm_node *node)
{
    if (node->path[0] == '\0')
        return;
    works("scancel --partition=course");
    for (int i = 0; i < END_SECONDS * 5 && !works("test -z \"$(squeue -h)\"");
         i++)
        pause_briefly();
    for (int d = SLURM_DAEMONS - 1; d >= 0; d--) {
        if (node->daemon[d] > 0) {
            kill(node->daemon[d], SIGTERM);
            for (int i = 0; i < END_SECONDS * 5 &&
                            waitpid(node->daemon[d], NULL, WNOHANG) == 0;
                 i++)
                pause_briefly();
        }
        node->daemon[d] = 0;
    }
    end_orphans();
    unsetenv("SLURM_CONF");
    node->path[0] = '\0';
}
