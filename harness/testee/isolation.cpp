#include "harness/testee/isolation.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "harness/descriptor.hpp"

namespace splitproof::testee {
namespace {

// Rights over the kernel, mounts and other users' processes. A program of root keeps all other rights.
constexpr std::array<unsigned, 14> kTakenRights{
    CAP_SYS_ADMIN, CAP_SYS_PTRACE,         CAP_SYS_MODULE, CAP_SYS_RAWIO,      CAP_SYS_BOOT,
    CAP_SYS_TIME,  CAP_SYS_TTY_CONFIG,     CAP_SYSLOG,     CAP_MAC_ADMIN,      CAP_MAC_OVERRIDE,
    CAP_PERFMON,   CAP_CHECKPOINT_RESTORE, CAP_BPF,        CAP_DAC_READ_SEARCH};

constexpr std::array<const char*, 6> kDevices{"null", "zero", "full", "random", "urandom", "tty"};

bool set_read_only(const char* path, bool read_only, unsigned flags) {
  mount_attr attributes{};
  (read_only ? attributes.attr_set : attributes.attr_clr) = MOUNT_ATTR_RDONLY;
  return mount_setattr(AT_FDCWD, path, flags, &attributes, sizeof attributes) == 0;
}

bool bind(const char* from, const char* to) {
  return mount(from, to, nullptr, MS_BIND | MS_REC, nullptr) == 0;
}

// Replaces /dev with a folder of standard devices, without disks, memory or foreign terminals.
bool mount_devices() {
  std::array<Descriptor, kDevices.size()> devices;
  for (std::size_t i = 0; i < devices.size(); ++i)
    devices[i] = Descriptor(open((std::string("/dev/") + kDevices[i]).c_str(), O_PATH | O_CLOEXEC));
  if (mount("tmpfs", "/dev", "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=755,size=64k") != 0) return false;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].get() < 0) continue;
    const std::string place = std::string("/dev/") + kDevices[i];
    const Descriptor made(open(place.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    const std::string device = "/proc/self/fd/" + std::to_string(devices[i].get());
    if (made.get() < 0 || !bind(device.c_str(), place.c_str())) return false;
  }
  return mkdir("/dev/pts", 0755) == 0 && mkdir("/dev/shm", 0755) == 0 &&
         mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620") ==
             0 &&
         mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777") == 0 &&
         symlink("pts/ptmx", "/dev/ptmx") == 0 && symlink("/proc/self/fd", "/dev/fd") == 0 &&
         symlink("/proc/self/fd/0", "/dev/stdin") == 0 && symlink("/proc/self/fd/1", "/dev/stdout") == 0 &&
         symlink("/proc/self/fd/2", "/dev/stderr") == 0;
}

// True for an entry of /proc that belongs to a process. A program writes to its own entry: user namespaces
// need that.
bool is_of_process(std::string_view name) {
  return name == "self" || name == "thread-self" || name.find_first_not_of("0123456789") == name.npos;
}

// Makes the writable entries of /proc that belong to no process read-only: settings, and triggers such as
// /proc/sysrq-trigger.
bool protect_settings() {
  DIR* entries = opendir("/proc");
  if (entries == nullptr) return false;
  bool done = true;
  while (const dirent* entry = readdir(entries)) {
    const std::string path = std::string("/proc/") + entry->d_name;
    struct stat about {};
    if (entry->d_name[0] == '.' || is_of_process(entry->d_name) || lstat(path.c_str(), &about) != 0) continue;
    if (!S_ISDIR(about.st_mode) && (!S_ISREG(about.st_mode) || (about.st_mode & 0222) == 0)) continue;
    done = done && bind(path.c_str(), path.c_str()) && set_read_only(path.c_str(), true, AT_RECURSIVE);
  }
  closedir(entries);
  return done;
}

bool mount_processes() {
  return mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0;
}

bool protect_files(const Isolation& isolation, const std::vector<std::string>& writable) {
  for (const std::string& folder : writable)
    if (!bind(folder.c_str(), folder.c_str()) && errno != ENOENT) return false;
  if (!set_read_only("/", true, AT_RECURSIVE)) return false;
  // A folder that was read-only before stays read-only.
  for (const std::string& folder : writable)
    static_cast<void>(set_read_only(folder.c_str(), false, AT_RECURSIVE));
  return (isolation.processes ? mount_processes() : set_read_only("/proc", false, 0)) && mount_devices() &&
         protect_settings();
}

// Also drops them from the bounding set, so that executing a program does not restore them.
bool give_up_rights() {
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> rights{};
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  if (syscall(SYS_capget, &header, rights.data()) != 0) return false;
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (const unsigned right : kTakenRights) {
    if (prctl(PR_CAPBSET_DROP, right, 0, 0, 0) != 0 && errno != EINVAL)
      return false;  // EINVAL: an older kernel
    __user_cap_data_struct& word = rights[CAP_TO_INDEX(right)];
    for (__u32* set : {&word.effective, &word.permitted, &word.inheritable}) *set &= ~CAP_TO_MASK(right);
  }
  return syscall(SYS_capset, &header, rights.data()) == 0;
}

// Returns 0 if the isolation works here, or errno.
int try_out(const Isolation& isolation) {
  const pid_t child = fork_isolated(isolation);
  if (child < 0) return errno;
  if (child == 0) _exit(isolate(isolation, {"/tmp"}));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}

}  // namespace

bool tell_kernel(const char* file, const std::string& text) {
  const Descriptor open_file(open(file, O_WRONLY | O_CLOEXEC));
  return write(open_file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

int map_user(uid_t user, gid_t group) {
  const auto alone = [](unsigned id) { return std::to_string(id) + " " + std::to_string(id) + " 1"; };
  prctl(PR_SET_DUMPABLE, 1);  // the files of a process that is not dumpable belong to root
  const bool done = tell_kernel("/proc/self/setgroups", "deny") &&
                    tell_kernel("/proc/self/uid_map", alone(user)) &&
                    tell_kernel("/proc/self/gid_map", alone(group));
  const int failed = done ? 0 : errno;
  prctl(PR_SET_DUMPABLE, 0);
  return failed;
}

Isolation find_isolation(bool without_network, int& failed) {
  const bool is_root = geteuid() == 0;
  Isolation isolation;
  isolation.user = geteuid();
  isolation.group = getegid();
  isolation.processes = isolation.rights = true;
  isolation.users = !is_root && !without_network;
  isolation.files = is_root && without_network;
  failed = try_out(isolation);
  if (failed == 0) return isolation;
  isolation.processes = isolation.users = false;
  failed = isolation.files ? try_out(isolation) : 0;
  return isolation;
}

pid_t fork_isolated(const Isolation& isolation) {
  if (!isolation.any()) return fork();
  clone_args arguments{};
  arguments.flags = CLONE_NEWNS;
  if (isolation.processes) arguments.flags |= CLONE_NEWPID;
  if (isolation.users) arguments.flags |= CLONE_NEWUSER;
  arguments.exit_signal = SIGCHLD;
  return static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
}

int isolate(const Isolation& isolation, const std::vector<std::string>& writable) {
  if (!isolation.any()) {
    if (isolation.rights) give_up_rights();  // fails if this user has none
    return 0;
  }
  if (isolation.users)
    if (const int failed = map_user(isolation.user, isolation.group); failed != 0) return failed;
  const bool done = mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) == 0 &&
                    (isolation.files ? protect_files(isolation, writable) : mount_processes()) &&
                    give_up_rights();
  return done ? 0 : errno;
}

}  // namespace splitproof::testee
